import type { X509Certificate } from 'node:crypto'
import { BerReader, TAG } from './ber-reader.ts'
import { failDirectory } from './failure.ts'

/** Certificate fields that path validation needs and node:crypto does not expose (RFC 5280 §4). */
export interface CertificateFields {
  /** Object identifier of the signature algorithm of the issuer; of RSASSA-PSS with that of the hash behind a slash. */
  readonly signatureAlgorithm: string
  /** Encoded subject: one text per relative distinguished name. */
  readonly subject: readonly string[]
  readonly isSelfIssued: boolean
  /** basicConstraints; null if absent. */
  readonly basic: { readonly isCa: boolean; readonly pathLength: number | null } | null
  /** Bits of keyUsage, the first bit highest; null for any use. */
  readonly keyUsage: number | null
  readonly names: readonly GeneralName[]
  readonly constraints: NameConstraints | null
  readonly unknownCritical: readonly string[]
}

/** Name with its tag: 2 is a DNS name, 4 a directory name, 7 an address. */
export interface GeneralName {
  readonly tag: number
  readonly value: Buffer
}
export interface NameConstraints {
  readonly permitted: readonly GeneralName[]
  readonly excluded: readonly GeneralName[]
}

export const KEY_USAGE = { digitalSignature: 0x8000, keyCertSign: 0x0400 } as const

const EXPLICIT = { version: 0xa0, issuerId: 0x81, subjectId: 0x82, extensions: 0xa3 } as const
const EXTENSION = { keyUsage: '2.5.29.15', names: '2.5.29.17', basic: '2.5.29.19', constraints: '2.5.29.30' } as const
/** Critical extensions that may pass: purposes (node:crypto reads them), policies, addresses of a CRL. */
const HARMLESS = new Set(['2.5.29.31', '2.5.29.32', '2.5.29.33', '2.5.29.36', '2.5.29.37', '2.5.29.54'])

/** Reads the fields. Fails with certificate_invalid for bytes that are no DER of a certificate. */
export const readFields = ({ raw }: Pick<X509Certificate, 'raw'>): CertificateFields => orInvalid(() => parse(raw))

function orInvalid<T>(read: () => T): T {
  try {
    return read()
  } catch {
    return failDirectory('certificate_invalid', {}, 'fields')
  }
}

function parse(raw: Buffer): CertificateFields {
  const certificate = new BerReader(raw).element(TAG.sequence)
  const body = certificate.element(TAG.sequence)
  const signatureAlgorithm = readSignatureAlgorithm(certificate.element(TAG.sequence))
  if (body.tag === EXPLICIT.version) body.skip()
  body.skip() // serial number
  if (readSignatureAlgorithm(body.element(TAG.sequence)) !== signatureAlgorithm) throw new Error('two algorithms')
  const issuer = readNames(body.element(TAG.sequence))
  body.skip() // validity
  const subject = readNames(body.element(TAG.sequence))
  body.skip() // public key
  for (const tag of [EXPLICIT.issuerId, EXPLICIT.subjectId]) if (body.tag === tag) body.skip()
  const extensions = body.tag === EXPLICIT.extensions ? readExtensions(body.element(EXPLICIT.extensions)) : new Map()
  const find = (id: string): BerReader | null => {
    const value = extensions.get(id)?.value
    return value ? new BerReader(value) : null
  }
  const [basic, usage] = [find(EXTENSION.basic), find(EXTENSION.keyUsage)]
  const [names, constraints] = [find(EXTENSION.names), find(EXTENSION.constraints)]
  const known = new Set<string>(Object.values(EXTENSION))
  return {
    signatureAlgorithm,
    subject,
    isSelfIssued: subject.join() === issuer.join(),
    basic: basic && readBasic(basic.element(TAG.sequence)),
    keyUsage: usage && readBits(usage.octets(TAG.bitString)),
    names: names ? names.element(TAG.sequence).all(readGeneralName) : [],
    constraints: constraints && readConstraints(constraints.element(TAG.sequence)),
    unknownCritical: [...extensions]
      .filter(([id, { isCritical }]) => isCritical && !known.has(id) && !HARMLESS.has(id))
      .map(([id]) => id),
  }
}

const RSASSA_PSS = '1.2.840.113549.1.1.10'
const PSS_HASH = 0xa0

/** Reads an algorithm. RSASSA-PSS has its hash in its parameters (RFC 4055 §3.1); without one it is SHA-1. */
function readSignatureAlgorithm(algorithm: BerReader): string {
  const id = readOid(algorithm.octets(TAG.oid))
  if (id !== RSASSA_PSS) return id
  const parameters = algorithm.element(TAG.sequence)
  if (parameters.tag !== PSS_HASH) return `${id}/sha1`
  return `${id}/${readOid(parameters.element(PSS_HASH).element(TAG.sequence).octets(TAG.oid))}`
}

interface Extension {
  readonly isCritical: boolean
  readonly value: Buffer
}

function readExtensions(wrapper: BerReader): Map<string, Extension> {
  const list = wrapper.element(TAG.sequence)
  const found = new Map<string, Extension>()
  while (!list.isAtEnd) {
    const extension = list.element(TAG.sequence)
    const id = readOid(extension.octets(TAG.oid))
    const isCritical = extension.tag === TAG.boolean && extension.octets(TAG.boolean)[0] !== 0
    if (found.has(id)) throw new Error('extension twice')
    found.set(id, { isCritical, value: extension.octets() })
  }
  return found
}

function readBasic(reader: BerReader): { isCa: boolean; pathLength: number | null } {
  const isCa = reader.tag === TAG.boolean && reader.octets(TAG.boolean)[0] !== 0
  return { isCa, pathLength: reader.isAtEnd ? null : reader.integer() }
}

/** First sixteen bits. */
const readBits = ([, high = 0, low = 0]: Buffer): number => (high << 8) | low

const readNames = (list: BerReader): string[] => list.all(() => list.octets(TAG.set).toString('hex'))

function readGeneralName(reader: BerReader): GeneralName {
  const tag = reader.tag ?? 0
  return { tag: tag & 0x1f, value: Buffer.from(reader.octets(tag)) }
}

function readConstraints(reader: BerReader): NameConstraints {
  const read = (tag: number): GeneralName[] => {
    if (reader.tag !== tag) return []
    return reader.element(tag).all((list) => readGeneralName(list.element(TAG.sequence)))
  }
  return { permitted: read(0xa0), excluded: read(0xa1) }
}

/** Relative names of a directory name in a constraint. */
export const toRelativeNames = ({ value }: GeneralName): string[] =>
  orInvalid(() => readNames(new BerReader(value).element(TAG.sequence)))

function readOid(bytes: Buffer): string {
  const arcs: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    if (arcs.length === 0) arcs.push(...(value < 80 ? [Math.floor(value / 40), value % 40] : [2, value - 80]))
    else arcs.push(value)
    value = 0
  }
  return arcs.join('.')
}
