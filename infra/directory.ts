import { READER, SUFFIX, toPerson } from '#tests/support/directory/people.ts'
import { describeDirectory, startDemoDirectory } from './local/demo-directory.ts'
import { prepareData } from './local/paths.ts'

/** `npm run directory`: runs the LDAP directory of the demo on loopback; it is kept in the data folder. */
prepareData()
const { LDAP_PORT, LDAPS_PORT } = process.env
const directory = await startDemoDirectory(
  'directory',
  LDAP_PORT === undefined ? undefined : Number(LDAP_PORT),
  LDAPS_PORT === undefined ? undefined : Number(LDAPS_PORT),
)
if (directory === null) process.exit(1)
const { port, targets } = directory
process.stdout.write(`
OpenLDAP is running, with 2,000 people; Ctrl-C ends it.
${describeDirectory(directory)}

  ldapsearch -x -H ldap://127.0.0.1:${port} -D "${READER.bindDn}" -w ${READER.password} -b "${SUFFIX}" uid=${toPerson(1).uid}
  npm run agent -- … ${targets.map((target) => `--directory ${target}`).join(' ')}   private mode, through a router on this machine
`)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void directory.close().then(() => process.exit(0)))
}
