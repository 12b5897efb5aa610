import { DAY_MS, type Issued, ecKey, issueCertificate, rsaKey } from './certificates.ts'

export const SERVER_NAME = 'ldap.test.internal'
const NAMES = [SERVER_NAME, 'localhost', '127.0.0.1']

/** Certificates of every kind that the TLS matrix needs; keys are shared where nothing depends on them. */
export function createPki() {
  const [caKey, serverKey, strangerKey] = [rsaKey(), rsaKey(), rsaKey()]
  const ec = { p256: ecKey('P-256'), p384: ecKey('P-384') }
  const authority = (name: string, key: Issued['key']) =>
    issueCertificate({ name, key, isCa: true, until: inDays(3650) })
  const ca = authority('Test LDAP CA', caKey)
  const ecCa = authority('Test EC CA', ec.p384)
  const server = { name: SERVER_NAME, key: serverKey, issuer: ca, names: NAMES, purpose: 'server' } as const
  const intermediate = issueCertificate({ name: 'Test Intermediate', key: rsaKey(), issuer: ca, isCa: true })
  const otherHost = issueCertificate({ ...server, name: 'other.test.internal', names: ['other.test.internal'] })
  return {
    ca,
    wrongCa: authority('Wrong CA', strangerKey),
    /** The same name as the right one, another key. */
    fakeCa: authority('Test LDAP CA', strangerKey),
    ecCa,
    strangerKey,
    rsa: issueCertificate(server),
    rsa4096: issueCertificate({ ...server, key: rsaKey(4096) }),
    ec256: issueCertificate({ ...server, key: ec.p256, issuer: ecCa }),
    ec384: issueCertificate({ ...server, key: ecKey('P-384'), issuer: ecCa }),
    otherHost,
    expired: issueCertificate({ ...server, from: inDays(-400), until: inDays(-35) }),
    future: issueCertificate({ ...server, from: inDays(2) }),
    intermediate,
    viaIntermediate: issueCertificate({ ...server, issuer: intermediate }),
    /** Signed by a server's certificate, which is no CA. */
    rogue: issueCertificate({ ...server, key: ec.p256, issuer: otherHost }),
    selfSigned: issueCertificate({ name: SERVER_NAME, key: serverKey, names: NAMES }),
    nameOnly: issueCertificate({ name: SERVER_NAME, key: serverKey }),
    clientOnly: issueCertificate({ ...server, purpose: 'client' }),
  }
}
export type Pki = ReturnType<typeof createPki>

const inDays = (days: number): number => Date.now() + days * DAY_MS
