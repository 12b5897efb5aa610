/* Cipher suites that the TLS client offers, and numbers of TLS on the wire. */

export type TlsHash = 'sha256' | 'sha384'
type Aead = 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305'

export interface CipherSuite {
  readonly hash: TlsHash
  readonly aead: Aead
  readonly keyBytes: 16 | 32
  /** Kind of key that the certificate must have in TLS 1.2; null in TLS 1.3, whose suites do not fix it. */
  readonly auth: 'rsa' | 'ec' | null
}

const AES128 = { hash: 'sha256', aead: 'aes-128-gcm', keyBytes: 16 } as const
const AES256 = { hash: 'sha384', aead: 'aes-256-gcm', keyBytes: 32 } as const
const CHACHA = { hash: 'sha256', aead: 'chacha20-poly1305', keyBytes: 32 } as const

/** Offered suites in order: TLS 1.3 (RFC 8446 §B.4), then ECDHE with an AEAD (RFC 5289, 7905). No CBC, RSA, DHE. */
export const SUITES: ReadonlyMap<number, CipherSuite> = new Map<number, CipherSuite>([
  [0x1301, { ...AES128, auth: null }],
  [0x1302, { ...AES256, auth: null }],
  [0x1303, { ...CHACHA, auth: null }],
  [0xc02b, { ...AES128, auth: 'ec' }],
  [0xc02f, { ...AES128, auth: 'rsa' }],
  [0xc02c, { ...AES256, auth: 'ec' }],
  [0xc030, { ...AES256, auth: 'rsa' }],
  [0xcca9, { ...CHACHA, auth: 'ec' }],
  [0xcca8, { ...CHACHA, auth: 'rsa' }],
])

export const hashBytes = (hash: TlsHash): number => (hash === 'sha384' ? 48 : 32)

/** Wire numbers (RFC 8446 §4, §5.1; RFC 5246 §7.4). */
export const RECORD = { changeCipherSpec: 20, alert: 21, handshake: 22, data: 23 } as const
export const MESSAGE = {
  clientHello: 1,
  serverHello: 2,
  newSessionTicket: 4,
  encryptedExtensions: 8,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  serverHelloDone: 14,
  certificateVerify: 15,
  clientKeyExchange: 16,
  finished: 20,
  certificateStatus: 22,
  keyUpdate: 24,
  messageHash: 254,
} as const
export const EXTENSION = {
  serverName: 0x00,
  supportedGroups: 0x0a,
  pointFormats: 0x0b,
  signatureAlgorithms: 0x0d,
  extendedMasterSecret: 0x17, // RFC 7627
  supportedVersions: 0x2b,
  cookie: 0x2c,
  keyShare: 0x33,
  renegotiationInfo: 0xff01, // RFC 5746
} as const
export const VERSION = { tls10: 0x0301, tls12: 0x0303, tls13: 0x0304 } as const
