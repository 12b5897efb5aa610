import { der, oid, sequence } from './der.ts'
import {
  type CertificateOptions,
  DAY_MS,
  type Issued,
  KEY_USAGE,
  directoryBase,
  dnsBase,
  ecKey,
  issueCertificate,
  rsaKey,
  subnetBase,
  toExtension,
  toNameConstraints,
} from './certificates.ts'

/** Chains of every kind, for clients that are compared. */

export const NAME = 'ldap.qiming.com'
const ADDRESS = '203.0.113.7'
export const keys = { root: ecKey(), middle: ecKey(), lower: ecKey(), server: ecKey() }
const rsa = { root: rsaKey(), server: rsaKey(), short: rsaKey(1024) }
export const root = issueCertificate({ name: 'Root', key: keys.root, isCa: true })
const rsaRoot = issueCertificate({ name: 'RSA Root', key: rsa.root, isCa: true })
const shortRoot = issueCertificate({ name: 'Short Root', key: rsa.short, isCa: true })

type Options = Partial<CertificateOptions>
export const leaf = (options: Options = {}): Issued =>
  issueCertificate({ name: NAME, key: keys.server, issuer: root, names: [NAME], ...options })
export const authority = (name: string, key: Issued['key'], options: Options = {}): Issued =>
  issueCertificate({ name, key, issuer: root, isCa: true, ...options })
const rootWith = (options: Options): Issued =>
  issueCertificate({ name: 'Root', key: keys.root, isCa: true, ...options })

/** The server's certificate, what it sends beside it, what is trusted. */
export type Chain = readonly [own: Issued, sent: readonly Issued[], anchors: readonly Issued[], name?: string]

const under = (options: Options, own: Options = {}): Chain => {
  const middle = authority('Middle', keys.middle, options)
  return [leaf({ issuer: middle, ...own }), [middle], [root]]
}
/** Root, two authorities, server; the path length is the upper one's. */
const deep = (pathLength: number): Chain => {
  const upper = authority('Upper', keys.middle, { pathLength })
  const lower = authority('Lower', keys.lower, { issuer: upper })
  return [leaf({ issuer: lower }), [lower, upper], [root]]
}
const constrained = (extension: Buffer, own: Options = {}, name = NAME): Chain => {
  const [server, sent, anchors] = under({ extensions: [extension] }, own)
  return [server, sent, anchors, name]
}
const underWeak = (): Chain => {
  const [server, sent] = under({ issuer: rsaRoot, hash: 'sha1' })
  return [server, sent, [rsaRoot]]
}
const UNKNOWN = '1.3.6.1.4.1.55555.1'
const note = der(0x0c, Buffer.from('x'))

export const AGREED: readonly (readonly [title: string, isAccepted: boolean, chain: Chain])[] = [
  ['signed by the root', true, [leaf(), [], [root]]],
  ['over an intermediate', true, under({})],
  ['an unknown root', false, [leaf(), [], [rsaRoot]]],
  ['a root of the same name', false, [leaf(), [], [issueCertificate({ name: 'Root', key: ecKey(), isCa: true })]]],
  ['another name', false, [leaf({ names: ['dc1.qiming.com'] }), [], [root]]],
  ['a wildcard', true, [leaf({ names: ['*.qiming.com'] }), [], [root]]],
  ['a wildcard two labels up', false, [leaf({ names: ['*.com'] }), [], [root]]],
  ['an address', true, [leaf({ names: [ADDRESS] }), [], [root], ADDRESS]],
  ['another address', false, [leaf({ names: ['203.0.113.8'] }), [], [root], ADDRESS]],
  ['expired', false, [leaf({ from: Date.now() - 9 * DAY_MS, until: Date.now() - DAY_MS }), [], [root]]],
  ['not yet valid', false, [leaf({ from: Date.now() + DAY_MS }), [], [root]]],
  ['an expired intermediate', false, under({ from: Date.now() - 9 * DAY_MS, until: Date.now() - DAY_MS })],
  ['an expired root', false, [leaf(), [], [rootWith({ from: Date.now() - 9 * DAY_MS, until: Date.now() - DAY_MS })]]],
  ['a missing intermediate', false, [under({})[0], [], [root]]],
  ['signed by a server', false, [leaf({ issuer: leaf(), key: keys.lower }), [leaf()], [root]]],
  ['the intermediate is the anchor', true, [under({})[0], [], [authority('Middle', keys.middle)]]],
  ['self-signed and trusted', true, [leaf({ issuer: { name: NAME, key: keys.server } }), [], []]],
  // Extended key usage
  ['for servers', true, [leaf({ purpose: 'server' }), [], [root]]],
  ['for clients', false, [leaf({ purpose: 'client' }), [], [root]]],
  // Basic constraints
  ['an intermediate without basicConstraints', false, under({ isWithoutBasic: true })],
  ['an intermediate that is no authority', false, under({ isCa: false, usage: KEY_USAGE.keyCertSign })],
  ['a server without basicConstraints', true, [leaf({ isWithoutBasic: true }), [], [root]]],
  ['a server that is an authority', true, [leaf({ isCa: true, usage: 0x84 }), [], [root]]],
  // Path length
  ['path length 0 above the server', true, under({ pathLength: 0 })],
  ['path length 0 above an authority', false, deep(0)],
  ['path length 1 above an authority', true, deep(1)],
  ['path length 0 of the root above an authority', false, [under({})[0], under({})[1], [rootWith({ pathLength: 0 })]]],
  // Key usage
  ['an intermediate that may not sign certificates', false, under({ usage: KEY_USAGE.digitalSignature })],
  ['an intermediate without keyUsage', true, under({ usage: null })],
  ['a server without keyUsage', true, [leaf({ usage: null }), [], [root]]],
  ['a server that may only sign certificates', false, [leaf({ usage: KEY_USAGE.keyCertSign }), [], [root]]],
  // Critical extensions
  ['an unknown critical extension', false, [leaf({ extensions: [toExtension(UNKNOWN, true, note)] }), [], [root]]],
  ['an unknown extension', true, [leaf({ extensions: [toExtension(UNKNOWN, false, note)] }), [], [root]]],
  ['an unknown critical extension above', false, under({ extensions: [toExtension(UNKNOWN, true, note)] })],
  [
    'critical policies',
    true,
    [leaf({ extensions: [toExtension('2.5.29.32', true, sequence(sequence(oid('1.2.3.4'))))] }), [], [root]],
  ],
  // Name constraints
  ['a permitted domain', true, constrained(toNameConstraints([dnsBase('qiming.com')]))],
  ['another permitted domain', false, constrained(toNameConstraints([dnsBase('other.com')]))],
  ['a domain that only ends alike', false, constrained(toNameConstraints([dnsBase('ming.com')]))],
  ['an excluded domain', false, constrained(toNameConstraints([], [dnsBase('qiming.com')]))],
  ['an excluded domain of another', true, constrained(toNameConstraints([], [dnsBase('other.com')]))],
  [
    'one name of two outside',
    false,
    constrained(toNameConstraints([dnsBase('qiming.com')]), { names: [NAME, 'ldap.other.com'] }),
  ],
  [
    'a permitted subnet',
    true,
    constrained(toNameConstraints([subnetBase('203.0.113.0', '255.255.255.0')]), { names: [ADDRESS] }, ADDRESS),
  ],
  [
    'another subnet',
    false,
    constrained(toNameConstraints([subnetBase('10.0.0.0', '255.0.0.0')]), { names: [ADDRESS] }, ADDRESS),
  ],
  ['a permitted directory name', true, constrained(toNameConstraints([directoryBase(NAME)]))],
  ['another directory name', false, constrained(toNameConstraints([directoryBase('x')]))],
  ['an excluded directory name', false, constrained(toNameConstraints([], [directoryBase(NAME)]))],
  [
    'constraints of the anchor',
    false,
    [leaf(), [], [rootWith({ extensions: [toNameConstraints([dnsBase('other.com')])] })]],
  ],
  // Algorithms
  ['RSA with SHA-256', true, [leaf({ issuer: rsaRoot, key: rsa.server }), [], [rsaRoot]]],
  ['RSA with SHA-384', true, [leaf({ issuer: rsaRoot, key: rsa.server, hash: 'sha384' }), [], [rsaRoot]]],
  ['RSA with SHA-1', false, [leaf({ issuer: rsaRoot, key: rsa.server, hash: 'sha1' }), [], [rsaRoot]]],
  ['RSA-PSS with SHA-256', true, [leaf({ issuer: rsaRoot, key: rsa.server, isPss: true }), [], [rsaRoot]]],
  [
    'RSA-PSS with SHA-384',
    true,
    [leaf({ issuer: rsaRoot, key: rsa.server, isPss: true, hash: 'sha384' }), [], [rsaRoot]],
  ],
  ['RSA-PSS with SHA-1', false, [leaf({ issuer: rsaRoot, key: rsa.server, isPss: true, hash: 'sha1' }), [], [rsaRoot]]],
  ['RSA with MD5', false, [leaf({ issuer: rsaRoot, key: rsa.server, hash: 'md5' }), [], [rsaRoot]]],
  ['ECDSA with SHA-1', false, [leaf({ hash: 'sha1' }), [], [root]]],
  ['an intermediate signed with SHA-1', false, underWeak()],
  [
    'a root signed with SHA-1',
    true,
    [
      leaf({ issuer: rsaRoot, key: rsa.server }),
      [],
      [issueCertificate({ name: 'RSA Root', key: rsa.root, isCa: true, hash: 'sha1' })],
    ],
  ],
  ['a server with RSA of 1024 bits', false, [leaf({ issuer: rsaRoot, key: rsa.short }), [], [rsaRoot]]],
  ['a root with RSA of 1024 bits', false, [leaf({ issuer: shortRoot }), [], [shortRoot]]],
]

/** Chains that we refuse and OpenSSL accepts, with the reason. */
export const STRICTER: readonly (readonly [title: string, why: string, chain: Chain])[] = [
  [
    'a server that may only encrypt keys',
    'every handshake here is signed by that key (RFC 8446 §4.4.2.2); OpenSSL also has RSA key exchange in mind',
    [leaf({ usage: KEY_USAGE.keyEncipherment }), [], [root]],
  ],
  [
    'a name in the subject alone',
    'a name counts as subjectAltName (RFC 9525 §2); browsers refuse it, too',
    [leaf({ names: [] }), [], [root]],
  ],
  [
    'a name in the subject beside the subjectAltName of an address',
    'a name counts as subjectAltName (RFC 9525 §2); browsers refuse it, too',
    [leaf({ names: [ADDRESS] }), [], [root]],
  ],
]
