import type { Pkcs10CertificateRequest, PublicKey } from '@peculiar/x509'
import { CERTIFICATE } from '#contract/device/limits.ts'
import { P256, loadX509 } from './x509.ts'

/* Check of a request for a certificate (PKCS 10). */

/** Reason to refuse a request, for the account. */
export const REQUEST_REFUSAL = {
  size: '申请过大',
  form: '内容损坏',
  key: '密钥类型不支持',
  signature: '签名不符',
  name: '设备名称不符',
} as const
export type RequestRefusal = (typeof REQUEST_REFUSAL)[keyof typeof REQUEST_REFUSAL]

const PEM = /^-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE REQUEST-----\s*$/
/** SubjectPublicKeyInfo of P-256 up to its point, which is uncompressed. */
const P256_KEY = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200' + '04', 'hex')
const P256_KEY_BYTES = P256_KEY.length + 64
const COMMON_NAME = '2.5.4.3'

/**
 * Public key of a request. Only its key counts: the certificate gets its name and its uses from the row of the router, and
 * extensions that the request asks for are ignored. `name`: name of the router, which the request may leave out.
 */
export async function readRequest(text: string, name: string): Promise<PublicKey | RequestRefusal> {
  if (text.length > CERTIFICATE.requestMax) return REQUEST_REFUSAL.size
  const der = decode(text)
  const request = der && (await parse(der))
  if (!request) return REQUEST_REFUSAL.form
  const { publicKey } = request
  const key = Buffer.from(publicKey.rawData)
  if (key.length !== P256_KEY_BYTES || !key.subarray(0, P256_KEY.length).equals(P256_KEY)) return REQUEST_REFUSAL.key
  if (!(await isSigned(request))) return REQUEST_REFUSAL.signature
  return isNamed(request, name) ? publicKey : REQUEST_REFUSAL.name
}

/** DER of one PEM object, without anything behind it; null if there is none. */
function decode(text: string): Buffer | null {
  const [, base64 = ''] = PEM.exec(text) ?? []
  const der = Buffer.from(base64, 'base64')
  const isCanonical = der.toString('base64') === base64.replaceAll(/[\r\n]/g, '')
  // SEQUENCE of all bytes: a definite length of one or two bytes covers the longest request.
  const [tag, first = 0, high = 0, low = 0] = der
  const length = first < 0x80 ? first + 2 : first === 0x81 ? high + 3 : first === 0x82 ? high * 256 + low + 4 : -1
  return isCanonical && tag === 0x30 && length === der.length ? der : null
}

async function parse(der: Buffer): Promise<Pkcs10CertificateRequest | null> {
  const { Pkcs10CertificateRequest } = await loadX509()
  try {
    return new Pkcs10CertificateRequest(new Uint8Array(der))
  } catch {
    return null
  }
}

interface SignatureAlgorithm {
  readonly name?: string
  readonly hash?: { readonly name: string }
}

/** False also for a point that is not on the curve, which the import of the key refuses. */
async function isSigned(request: Pkcs10CertificateRequest): Promise<boolean> {
  try {
    const { name, hash }: SignatureAlgorithm = request.signatureAlgorithm
    return name === P256.name && hash?.name === P256.hash && (await request.verify())
  } catch {
    return false
  }
}

function isNamed({ subjectName }: Pkcs10CertificateRequest, name: string): boolean {
  const attributes = subjectName.toJSON().flatMap((set) => Object.entries(set))
  const names = subjectName.getField(COMMON_NAME)
  return attributes.length === 0 || (attributes.length === 1 && names.length === 1 && names[0] === name)
}
