import type { TestProject } from 'vitest/node'
import { startFakeLdap } from '../support/directory/fake-ldap.ts'
import { startHostileTls } from '../support/directory/hostile-tls.ts'
import { createPki } from '../support/directory/pki.ts'
import { type TlsServer, startTlsServers } from '../support/directory/tls-servers.ts'

type Authority = 'ca' | 'wrongCa' | 'fakeCa' | 'ecCa' | 'selfSigned' | 'nameOnly' | 'intermediate' | 'viaIntermediate'
type HostileServer = keyof Awaited<ReturnType<typeof startHostileTls>>['ports']

declare module 'vitest' {
  interface ProvidedContext {
    tls: {
      readonly ports: Readonly<Record<TlsServer | HostileServer | 'plain', number>>
      /** PEM of what a test trusts. */
      readonly authorities: Readonly<Record<Authority, string>>
    }
  }
}

/** Starts the servers that tests inside workerd reach over real sockets. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const pki = createPki()
  const [servers, plain] = await Promise.all([startTlsServers(pki), startFakeLdap()])
  const hostile = await startHostileTls(pki, servers.ports)
  const names: Authority[] = [
    'ca',
    'wrongCa',
    'fakeCa',
    'ecCa',
    'selfSigned',
    'nameOnly',
    'intermediate',
    'viaIntermediate',
  ]
  project.provide('tls', {
    ports: { ...servers.ports, ...hostile.ports, plain: plain.port },
    authorities: Object.fromEntries(names.map((name) => [name, pki[name].pem])) as Record<Authority, string>,
  })
  return async () => void (await Promise.all([servers.close(), hostile.close(), plain.close()]))
}
