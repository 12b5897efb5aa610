import { READER, SUFFIX, toPerson } from '#tests/support/directory/people.ts'
import { SERVER_NAME } from '#tests/support/directory/pki.ts'
import { startDirectory } from '#tests/support/directory/start.ts'
import { installDirectoryTools } from './network-tools.ts'
import { inData } from './paths.ts'
import { freePort } from './runtime.ts'

/* LDAP directory of the demo: OpenLDAP on loopback with 2,000 people, 286 of them disabled. */

const USERS = 2_000

export type DemoDirectory = NonNullable<Awaited<ReturnType<typeof startDemoDirectory>>>

/** Starts the directory; null with a message if it cannot be installed. */
export async function startDemoDirectory(name: string, from = 13_389, ldapsFrom = 13_636) {
  if (!(await installDirectoryTools())) return null
  const folder = inData(name)
  const port = await freePort(from)
  const ldapsPort = await freePort(Math.max(ldapsFrom, port + 1))
  const slapd = await startDirectory({ folder, users: USERS, port, ldapsPort })
  return {
    port,
    ldapsPort,
    caFile: `${folder}/ca.crt`,
    targets: [`127.0.0.1:${port}`, `127.0.0.1:${ldapsPort}`], // for the option `--directory` of an agent
    close: () => slapd.close(),
  }
}

/** Connection settings of the directory, for a person to type. */
export function describeDirectory({ port, ldapsPort, caFile }: DemoDirectory): string {
  const person = toPerson(1)
  return `
  host              127.0.0.1 (the certificate also names ${SERVER_NAME})
  port              ${port}, plain or StartTLS; ${ldapsPort}, LDAPS
  CA file           ${caFile}
  Base DN           ${SUFFIX}
  user name         ${READER.bindDn}
  password          ${READER.password}
  one of its people ${person.uid} (${person.name}), password ${person.password}`
}
