import { type KeyObject, constants, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { bits, boolean, der, integer, octets, oid, sequence, set, time, utf8 } from './der.ts'

export interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

export const rsaKey = (modulusLength = 2048): KeyPair => generateKeyPairSync('rsa', { modulusLength })
export const ecKey = (namedCurve = 'P-256'): KeyPair => generateKeyPairSync('ec', { namedCurve })

export interface Issued {
  readonly name: string
  readonly der: Buffer
  readonly pem: string
  readonly key: KeyPair
}

export interface CertificateOptions {
  /** Common name. */
  readonly name: string
  readonly key: KeyPair
  /** Signs; absent: self-signed. */
  readonly issuer?: Pick<Issued, 'name' | 'key'>
  readonly isCa?: boolean
  /** Host names and addresses. */
  readonly names?: readonly string[]
  readonly purpose?: 'server' | 'client'
  readonly from?: number
  readonly until?: number
  /** With which it is signed. */
  readonly hash?: Hash
  /** Pads an RSA signature by PSS. */
  readonly isPss?: boolean
  readonly pathLength?: number
  /** Bits of keyUsage (KEY_USAGE); null leaves the extension out. */
  readonly usage?: number | null
  /** Leaves basicConstraints out. */
  readonly isWithoutBasic?: boolean
  /** Further extensions (`toExtension`). */
  readonly extensions?: readonly Buffer[]
}

export const DAY_MS = 86_400_000
type Hash = 'sha256' | 'sha384' | 'sha1' | 'md5'
const SIGNATURE: Readonly<Record<'rsa' | 'ec', Readonly<Partial<Record<Hash, string>>>>> = {
  rsa: {
    sha256: '1.2.840.113549.1.1.11',
    sha384: '1.2.840.113549.1.1.12',
    sha1: '1.2.840.113549.1.1.5',
    md5: '1.2.840.113549.1.1.4',
  },
  ec: { sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3', sha1: '1.2.840.10045.4.1' },
}
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } as const

/** Parameters of RSASSA-PSS (RFC 4055 §3.1) with a hash; all defaults stand for SHA-1. */
function toPss(hash: Hash): Buffer {
  const id = { sha256: '2.16.840.1.101.3.4.2.1', sha384: '2.16.840.1.101.3.4.2.2', sha1: null, md5: null }[hash]
  if (id === null) return sequence(oid('1.2.840.113549.1.1.10'), sequence())
  const digest = sequence(oid(id), der(0x05))
  const mask = sequence(oid('1.2.840.113549.1.1.8'), digest)
  const salt = integer(Buffer.from([hash === 'sha256' ? 32 : 48]))
  return sequence(oid('1.2.840.113549.1.1.10'), sequence(der(0xa0, digest), der(0xa1, mask), der(0xa2, salt)))
}

/** The first octet of keyUsage. */
export const KEY_USAGE = { digitalSignature: 0x80, keyEncipherment: 0x20, keyCertSign: 0x04, crlSign: 0x02 } as const
const PURPOSE = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const

/** An X.509 certificate of version 3 (RFC 5280), of any kind that a test needs. */
export function issueCertificate(options: CertificateOptions): Issued {
  const { name, key, issuer = { name, key }, from = Date.now() - DAY_MS, until = Date.now() + 800 * DAY_MS } = options
  const { hash = 'sha256', isPss = false } = options
  const signing = issuer.key.privateKey
  const kind = signing.asymmetricKeyType === 'rsa' ? 'rsa' : 'ec'
  const plain = sequence(oid(SIGNATURE[kind][hash] ?? ''), ...(kind === 'rsa' ? [der(0x05)] : []))
  const algorithm = isPss ? toPss(hash) : plain
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    toName(issuer.name),
    sequence(time(from), time(until)),
    toName(name),
    key.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...toExtensions(options))),
  )
  const certificate = sequence(body, algorithm, bits(sign(hash, body, isPss ? { key: signing, ...PSS } : signing)))
  return { name, der: certificate, pem: toPem('CERTIFICATE', certificate), key }
}

export const keyPem = ({ privateKey }: KeyPair): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

export const toPem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`

const toName = (commonName: string): Buffer => sequence(set(sequence(oid('2.5.4.3'), utf8(commonName))))

export const toExtension = (id: string, isCritical: boolean, value: Buffer): Buffer =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octets(value))

const USAGE = {
  authority: KEY_USAGE.keyCertSign | KEY_USAGE.crlSign,
  server: KEY_USAGE.digitalSignature | KEY_USAGE.keyEncipherment,
} as const

function toExtensions(options: CertificateOptions): Buffer[] {
  const { isCa = false, names = [], purpose, pathLength, extensions = [] } = options
  const { usage = isCa ? USAGE.authority : USAGE.server } = options
  const length = pathLength === undefined ? [] : [integer(Buffer.from([pathLength]))]
  return [
    ...(options.isWithoutBasic
      ? []
      : [toExtension('2.5.29.19', true, isCa ? sequence(boolean(true), ...length) : sequence())]),
    ...(usage === null
      ? []
      : [toExtension('2.5.29.15', true, bits(Buffer.from([usage]), Math.clz32(usage & -usage) ^ 31))]),
    ...(names.length > 0 ? [toExtension('2.5.29.17', false, sequence(...names.map(toAlternativeName)))] : []),
    ...(purpose ? [toExtension('2.5.29.37', false, sequence(oid(PURPOSE[purpose])))] : []),
    ...extensions,
  ]
}

const toAlternativeName = (name: string): Buffer =>
  isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))

/** nameConstraints (RFC 5280 §4.2.1.10), critical. */
export const toNameConstraints = (permitted: readonly Buffer[], excluded: readonly Buffer[] = []): Buffer => {
  const trees = (tag: number, names: readonly Buffer[]) =>
    names.length === 0 ? [] : [der(tag, ...names.map((name) => sequence(name)))]
  return toExtension('2.5.29.30', true, sequence(...trees(0xa0, permitted), ...trees(0xa1, excluded)))
}
export const dnsBase = (name: string): Buffer => der(0x82, Buffer.from(name))
export const subnetBase = (address: string, mask: string): Buffer =>
  der(0x87, Buffer.from([...address.split('.'), ...mask.split('.')].map(Number)))
export const directoryBase = (commonName: string): Buffer => der(0xa4, toName(commonName))
