import { type AddressInfo, createServer } from 'node:net'
import { DAY_MS, issueCertificate, keyPem, rsaKey } from './certificates.ts'
import { SERVER_NAME } from './pki.ts'
import { type ServerTls, type Slapd, startSlapd } from './slapd.ts'

/** An authority and a server's certificate of it, for loopback. */
export function createServerTls(): ServerTls {
  const authority = { name: 'Netloom Test Directory CA', key: rsaKey() }
  const ca = issueCertificate({ ...authority, isCa: true, until: Date.now() + 3650 * DAY_MS })
  const names = [SERVER_NAME, 'localhost', '127.0.0.1']
  const key = rsaKey()
  const server = issueCertificate({ name: SERVER_NAME, key, issuer: authority, names, purpose: 'server' })
  return { ca: ca.pem, certificate: server.pem, key: keyPem(key) }
}

/** A real directory on loopback, on free ports unless some are named. */
export async function startDirectory(options: {
  readonly folder: string
  readonly users: number
  readonly port?: number
  readonly ldapsPort?: number
  readonly rules?: readonly string[]
}): Promise<Slapd> {
  const port = options.port ?? (await freePort())
  const ldapsPort = options.ldapsPort ?? (await freePort())
  return startSlapd({ ...options, port, ldapsPort, createTls: createServerTls })
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
