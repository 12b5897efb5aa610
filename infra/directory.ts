import { startDirectory } from '../tests/support/directory/start.ts'
import { READER, SUFFIX, toPerson } from '../tests/support/directory/people.ts'
import { SERVER_NAME } from '../tests/support/directory/pki.ts'
import { installDirectoryTools } from './local/network-tools.ts'
import { inData, prepareData } from './local/paths.ts'
import { freePort } from './local/runtime.ts'

/** `npm run directory`: OpenLDAP on loopback with 2,000 people, 286 of them disabled; kept in the data folder. */
const USERS = 2_000

if (!(await installDirectoryTools())) process.exit(1)
prepareData()
const folder = inData('directory')
const port = await freePort(Number(process.env['LDAP_PORT'] ?? 13_389))
const ldapsPort = await freePort(Math.max(Number(process.env['LDAPS_PORT'] ?? 13_636), port + 1))
const slapd = await startDirectory({ folder, users: USERS, port, ldapsPort })
const person = toPerson(1)
process.stdout.write(`
OpenLDAP is running, with ${USERS.toLocaleString('en')} people; Ctrl-C ends it.

  host              127.0.0.1 (the certificate also names ${SERVER_NAME})
  port              ${port}, plain or StartTLS; ${ldapsPort}, LDAPS
  CA file           ${folder}/ca.crt
  Base DN           ${SUFFIX}
  user name         ${READER.bindDn}
  password          ${READER.password}
  one of its people ${person.uid} (${person.name}), password ${person.password}

  ldapsearch -x -H ldap://127.0.0.1:${port} -D "${READER.bindDn}" -w ${READER.password} -b "${SUFFIX}" uid=${person.uid}
  npm run agent -- … --directory 127.0.0.1:${port} --directory 127.0.0.1:${ldapsPort}   private mode, through a router on this machine
`)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void slapd.close().then(() => process.exit(0)))
}
