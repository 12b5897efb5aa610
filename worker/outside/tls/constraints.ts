import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { failDirectory } from './failure.ts'
import {
  type CertificateFields,
  type GeneralName,
  KEY_USAGE,
  type NameConstraints,
  readFields,
  toRelativeNames,
} from './certificate-fields.ts'

/* Constraints of a certificate path (RFC 5280 §6.1). */

const RSA_BITS_MIN = 2048
/** Allowed signatures: RSA with SHA-2, also PSS, and ECDSA with SHA-2. MD5 and SHA-1 can be forged. */
const SIGNATURES = new Set([
  '1.2.840.113549.1.1.10/2.16.840.1.101.3.4.2.1',
  '1.2.840.113549.1.1.10/2.16.840.1.101.3.4.2.2',
  '1.2.840.113549.1.1.10/2.16.840.1.101.3.4.2.3',
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
])
const NAME_TAG = { dns: 2, directory: 4, address: 7 } as const

/**
 * Checks a path, from the server's certificate to the anchor: algorithms, critical extensions, key usage, path length and
 * the constraints of names.
 */
export function checkPath(path: readonly X509Certificate[], name: string): void {
  const fields = path.map(readFields)
  for (const [index, certificate] of path.entries()) {
    checkKey(certificate)
    const own = fields[index] as CertificateFields
    const isAnchor = index === path.length - 1
    if (!isAnchor && !SIGNATURES.has(own.signatureAlgorithm)) failDirectory('certificate_weak', {}, 'signature')
    if (own.unknownCritical.length > 0) failDirectory('certificate_not_allowed', {}, own.unknownCritical.join())
    if (index === 0) checkOwnUsage(own)
    else checkIssuer(own, fields.slice(0, index), name)
  }
}

function checkKey({ publicKey }: X509Certificate): void {
  const bits = publicKey.asymmetricKeyDetails?.modulusLength
  if (publicKey.asymmetricKeyType === 'rsa' && bits !== undefined && bits < RSA_BITS_MIN)
    failDirectory('certificate_weak', {}, `RSA of ${bits} bits`)
}

/** Checks the key usage of the server's certificate: its key signs every handshake here. */
function checkOwnUsage({ keyUsage }: CertificateFields): void {
  if (keyUsage !== null && (keyUsage & KEY_USAGE.digitalSignature) === 0) failDirectory('certificate_purpose')
}

/** @param below certificates below this one, the server's first. */
function checkIssuer(
  { basic, keyUsage, constraints }: CertificateFields,
  below: readonly CertificateFields[],
  name: string,
): void {
  if (!basic?.isCa) failDirectory('certificate_not_allowed', {}, 'no authority')
  if (keyUsage !== null && (keyUsage & KEY_USAGE.keyCertSign) === 0)
    failDirectory('certificate_not_allowed', {}, 'key usage')
  const between = below.slice(1).filter(({ isSelfIssued }) => !isSelfIssued).length
  if (basic.pathLength !== null && between > basic.pathLength)
    failDirectory('certificate_not_allowed', {}, 'length of the path')
  if (constraints) {
    for (const [index, each] of below.entries())
      if (index === 0 || !each.isSelfIssued) checkNames(constraints, each, index === 0 ? name : null)
  }
}

/** @param host name of the server, which counts for its certificate without alternative names; otherwise null. */
function checkNames({ permitted, excluded }: NameConstraints, certificate: CertificateFields, host: string | null) {
  const own = certificate.names.filter(({ tag }) => tag === NAME_TAG.dns || tag === NAME_TAG.address)
  const names = own.length === 0 && host !== null ? [toName(host)] : own
  for (const name of names) {
    const same = permitted.filter(({ tag }) => tag === name.tag)
    const isPermitted = same.length === 0 || same.some((base) => isWithin(name, base))
    if (!isPermitted || excluded.some((base) => base.tag === name.tag && isWithin(name, base)))
      failDirectory('certificate_not_allowed', {}, 'name')
  }
  const isBelow = (base: GeneralName): boolean =>
    toRelativeNames(base).every((relative, index) => certificate.subject[index] === relative)
  const directories = permitted.filter(({ tag }) => tag === NAME_TAG.directory)
  const isOutside = certificate.subject.length > 0 && directories.length > 0 && !directories.some(isBelow)
  if (isOutside || excluded.some((base) => base.tag === NAME_TAG.directory && isBelow(base)))
    failDirectory('certificate_not_allowed', {}, 'directory name')
}

const toName = (host: string): GeneralName =>
  isIP(host) === 4
    ? { tag: NAME_TAG.address, value: Buffer.from(host.split('.').map(Number)) }
    : { tag: NAME_TAG.dns, value: Buffer.from(host, 'latin1') }

function isWithin({ tag, value }: GeneralName, base: GeneralName): boolean {
  if (tag === NAME_TAG.address) return isInSubnet(value, base.value)
  const [name, domain] = [value.toString('latin1').toLowerCase(), base.value.toString('latin1').toLowerCase()]
  if (domain === '') return true
  return domain.startsWith('.') ? name.endsWith(domain) : name === domain || name.endsWith(`.${domain}`)
}

/** @param range bytes of the address, then of the mask. */
function isInSubnet(address: Buffer, range: Buffer): boolean {
  const size = address.length
  return (
    range.length === 2 * size &&
    address.every((byte, i) => (byte & (range[size + i] ?? 0)) === ((range[i] ?? 0) & (range[size + i] ?? 0)))
  )
}
