import { type X509Certificate, constants, createVerify } from 'node:crypto'
import { failTls } from './failure.ts'

/* Signature schemes of TLS and the check of a signature. */

interface Scheme {
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  readonly padding: 'ecdsa' | 'pss' | 'pkcs1'
  /** TLS 1.3 binds the curve to the scheme. */
  readonly curve?: string
}

/** Offered schemes (RFC 8446 §4.2.3). PKCS #1 v1.5 signs handshakes of TLS 1.2 only. */
export const SIGNATURE_SCHEMES: ReadonlyMap<number, Scheme> = new Map<number, Scheme>([
  [0x0403, { hash: 'sha256', padding: 'ecdsa', curve: 'prime256v1' }],
  [0x0503, { hash: 'sha384', padding: 'ecdsa', curve: 'secp384r1' }],
  [0x0603, { hash: 'sha512', padding: 'ecdsa', curve: 'secp521r1' }],
  [0x0804, { hash: 'sha256', padding: 'pss' }],
  [0x0805, { hash: 'sha384', padding: 'pss' }],
  [0x0806, { hash: 'sha512', padding: 'pss' }],
  [0x0401, { hash: 'sha256', padding: 'pkcs1' }],
  [0x0501, { hash: 'sha384', padding: 'pkcs1' }],
  [0x0601, { hash: 'sha512', padding: 'pkcs1' }],
])
const SALT_BYTES = { sha256: 32, sha384: 48, sha512: 64 } as const

export interface Signed {
  readonly scheme: number
  readonly data: Uint8Array
  readonly signature: Uint8Array
}

/** Fails unless the key of the certificate signed the data. */
export function checkSignature(certificate: X509Certificate, signed: Signed, isTls13: boolean): void {
  const scheme = SIGNATURE_SCHEMES.get(signed.scheme)
  if (!scheme || (isTls13 && scheme.padding === 'pkcs1')) return failTls('signature scheme that was not offered')
  const key = certificate.publicKey
  if (key.asymmetricKeyType !== (scheme.padding === 'ecdsa' ? 'ec' : 'rsa')) return failTls('scheme of another key')
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (isTls13 && scheme.curve !== undefined && curve !== undefined && curve !== scheme.curve) {
    return failTls('scheme of another curve')
  }
  if (!isVerified(certificate, scheme, signed)) failTls("no proof of the certificate's key")
}

/** Verifies by createVerify with a key in PEM, because crypto.verify of workerd ignores the padding. */
function isVerified({ publicKey }: X509Certificate, scheme: Scheme, { data, signature }: Signed): boolean {
  const verifier = createVerify(scheme.hash).update(data)
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  try {
    if (scheme.padding !== 'pss') return verifier.verify(key, signature)
    const saltLength = SALT_BYTES[scheme.hash]
    return verifier.verify({ key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature)
  } catch {
    return false
  }
}
