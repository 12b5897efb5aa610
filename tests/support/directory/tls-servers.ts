import { type TlsOptions, createServer } from 'node:tls'
import { type Issued, keyPem } from './certificates.ts'
import { listen, serveLdap } from './fake-ldap.ts'
import type { Pki } from './pki.ts'

/** Servers by OpenSSL, one for each certificate, version and cipher of the matrix. */
const toTlsServers = (pki: Pki) =>
  ({
    rsa: withCertificate(pki.rsa),
    rsa12: withCertificate(pki.rsa, { maxVersion: 'TLSv1.2' }),
    rsa13: withCertificate(pki.rsa, { minVersion: 'TLSv1.3' }),
    aes256: withCertificate(pki.rsa, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES256-GCM-SHA384' }),
    chacha12: withCertificate(pki.rsa, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-CHACHA20-POLY1305' }),
    ec256: withCertificate(pki.ec256),
    ec256Tls12: withCertificate(pki.ec256, { maxVersion: 'TLSv1.2' }),
    ec384: withCertificate(pki.ec384),
    rsa4096: withCertificate(pki.rsa4096),
    otherHost: withCertificate(pki.otherHost),
    expired: withCertificate(pki.expired),
    future: withCertificate(pki.future),
    chain: withCertificate(pki.viaIntermediate, {}, [pki.intermediate]),
    chainMissing: withCertificate(pki.viaIntermediate),
    rogue: withCertificate(pki.rogue, {}, [pki.otherHost]),
    selfSigned: withCertificate(pki.selfSigned),
    nameOnly: withCertificate(pki.nameOnly),
    clientOnly: withCertificate(pki.clientOnly),
    rsaExchange: withCertificate(pki.rsa, { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }),
    cbc: withCertificate(pki.rsa, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES256-SHA384' }),
    dhe: withCertificate(pki.rsa, { maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES256-GCM-SHA384', dhparam: 'auto' }),
    chacha13: withCertificate(pki.rsa, { minVersion: 'TLSv1.3', ciphers: 'TLS_CHACHA20_POLY1305_SHA256' }),
    retry: withCertificate(pki.rsa, { minVersion: 'TLSv1.3', ecdhCurve: 'P-384' }),
    tls11: withCertificate(pki.rsa, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }),
    asksClient13: withCertificate(pki.rsa, { minVersion: 'TLSv1.3', requestCert: true }),
    asksClient12: withCertificate(pki.rsa, { maxVersion: 'TLSv1.2', requestCert: true }),
    needsClient12: withCertificate(pki.rsa, { maxVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: true }),
    needsClient13: withCertificate(pki.rsa, { minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: true }),
  }) satisfies Record<string, TlsOptions>
export type TlsServer = keyof ReturnType<typeof toTlsServers>

function withCertificate(own: Issued, options: TlsOptions = {}, chain: readonly Issued[] = []): TlsOptions {
  const cert = [own, ...chain].map(({ pem }) => pem).join('')
  return { cert, key: keyPem(own.key), rejectUnauthorized: false, ...options }
}

export async function startTlsServers(pki: Pki) {
  const started = await Promise.all(
    Object.entries(toTlsServers(pki)).map(async ([name, options]) => {
      const server = createServer(options, serveLdap)
      server.on('tlsClientError', () => {})
      return [name, await listen(server)] as const
    }),
  )
  return {
    ports: Object.fromEntries(started.map(([name, { port }]) => [name, port])) as Record<TlsServer, number>,
    close: async () => void (await Promise.all(started.map(([, { close }]) => close()))),
  }
}
