import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
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
}

export const DAY_MS = 86_400_000
const SIGNATURE = { rsa: '1.2.840.113549.1.1.11', ec: '1.2.840.10045.4.3.2' } as const // both with SHA-256
const PURPOSE = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const

/** An X.509 certificate of version 3 (RFC 5280), of any kind that a test needs. */
export function issueCertificate(options: CertificateOptions): Issued {
  const { name, key, issuer = { name, key }, from = Date.now() - DAY_MS, until = Date.now() + 800 * DAY_MS } = options
  const signing = issuer.key.privateKey
  const algorithm =
    signing.asymmetricKeyType === 'rsa' ? sequence(oid(SIGNATURE.rsa), der(0x05)) : sequence(oid(SIGNATURE.ec))
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
  const certificate = sequence(body, algorithm, bits(sign('sha256', body, signing)))
  return { name, der: certificate, pem: toPem('CERTIFICATE', certificate), key }
}

export const keyPem = ({ privateKey }: KeyPair): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

export const toPem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`

const toName = (commonName: string): Buffer => sequence(set(sequence(oid('2.5.4.3'), utf8(commonName))))

function toExtensions({ isCa = false, names = [], purpose }: CertificateOptions): Buffer[] {
  const extension = (id: string, isCritical: boolean, value: Buffer) =>
    sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octets(value))
  const usage = isCa ? bits(Buffer.from([0x06]), 1) : bits(Buffer.from([0xa0]), 5) // keyCertSign, cRLSign; or the two of a server
  return [
    extension('2.5.29.19', true, isCa ? sequence(boolean(true)) : sequence()),
    extension('2.5.29.15', true, usage),
    ...(names.length > 0 ? [extension('2.5.29.17', false, sequence(...names.map(toAlternativeName)))] : []),
    ...(purpose ? [extension('2.5.29.37', false, sequence(oid(PURPOSE[purpose])))] : []),
  ]
}

const toAlternativeName = (name: string): Buffer =>
  isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))
