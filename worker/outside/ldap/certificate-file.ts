import { X509Certificate, createPrivateKey } from 'node:crypto'
import { DIRECTORY } from '#contract/ldap/limits.ts'
import { listNames, validFrom, validUntil, toShortText } from '#outside/tls/trust.ts'

/* CA certificates from an uploaded file (PEM or DER), and their fields for an administrator. */

export interface CertificateFacts {
  /** Common name, or else the whole subject. */
  readonly name: string
  readonly subject: string
  readonly issuer: string
  readonly names: string
  readonly notBefore: number
  readonly notAfter: number
}

type CertificateFileFailure = 'not_certificate' | 'private_key' | 'expired' | 'too_many'

type CertificateFile =
  | { readonly failure: CertificateFileFailure }
  | { readonly failure: null; readonly pem: string; readonly certificates: readonly CertificateFacts[] }

/** Reads an uploaded file: PEM (RFC 7468) or DER with one or more certificates. At least one must be within its term. */
export function readCertificateFile(bytes: Uint8Array, now: number): CertificateFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('latin1')
  if (text.includes('PRIVATE KEY-----') || isPrivateKey(buffer)) return { failure: 'private_key' }
  const certificates = text.includes('-----BEGIN ') ? parsePem(text) : parseDer(buffer)
  if (certificates === null || certificates.length === 0) return { failure: 'not_certificate' }
  if (certificates.length > DIRECTORY.anchors) return { failure: 'too_many' }
  if (certificates.every((certificate) => validUntil(certificate) < now)) return { failure: 'expired' }
  const pem = certificates.map((certificate) => certificate.toString()).join('')
  return { failure: null, pem, certificates: certificates.map(toFacts) }
}

const [BEGIN, END] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'] as const

/** Certificates of a PEM text. Null if any block is of another kind, has no end, or is unreadable. One pass. */
export function parsePem(text: string): X509Certificate[] | null {
  const found: X509Certificate[] = []
  for (let at = text.indexOf('-----BEGIN '); at >= 0; at = text.indexOf('-----BEGIN ', at)) {
    const end = text.indexOf(END, at)
    const certificate = end >= 0 && text.startsWith(BEGIN, at) ? parse(text.slice(at, end + END.length)) : null
    if (certificate === null) return null
    found.push(certificate)
    at = end + END.length
  }
  return found
}

/** Parses exactly one certificate; further bytes are refused. */
function parseDer(bytes: Buffer): X509Certificate[] | null {
  const certificate = parse(bytes)
  return certificate && certificate.raw.length === bytes.length ? [certificate] : null
}

function parse(source: string | Buffer): X509Certificate | null {
  try {
    const certificate = new X509Certificate(source)
    return Number.isNaN(validFrom(certificate)) || Number.isNaN(validUntil(certificate)) ? null : certificate
  } catch {
    return null
  }
}

function isPrivateKey(der: Buffer): boolean {
  const isSequence = der[0] === 0x30
  return isSequence && (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) => isKey(der, type))
}

function isKey(key: Buffer, type: 'pkcs8' | 'pkcs1' | 'sec1'): boolean {
  try {
    createPrivateKey({ key, format: 'der', type })
    return true
  } catch {
    return false
  }
}

export function toFacts(certificate: X509Certificate): CertificateFacts {
  const subject = toShortText(certificate.subject ?? '')
  const commonName = /^CN=(.*)$/m.exec(certificate.subject ?? '')?.[1]
  return {
    name: commonName === undefined ? subject : toShortText(commonName),
    subject,
    issuer: toShortText(certificate.issuer),
    names: listNames(certificate),
    notBefore: validFrom(certificate),
    notAfter: validUntil(certificate),
  }
}
