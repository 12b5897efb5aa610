import { isIP } from 'node:net'
import { uint, vector } from './bytes.ts'
import { GROUPS, type KeyShare } from './key-exchange.ts'
import { toMessage } from './messages.ts'
import { SIGNATURE_SCHEMES } from './signatures.ts'
import { EXTENSION, MESSAGE, SUITES, VERSION } from './suites.ts'

export interface ClientHello {
  readonly random: Buffer
  readonly sessionId: Buffer
  readonly shares: ReadonlyMap<number, KeyShare>
  /** Of a HelloRetryRequest, to be sent back. */
  readonly cookie: Buffer | null
  readonly serverName: string
}

const extension = (type: number, data: Uint8Array): Buffer => Buffer.concat([uint(2, type), vector(2, data)])
const numbers = (values: Iterable<number>): Buffer[] => [...values].map((value) => uint(2, value))

/** ClientHello that offers TLS 1.3 and 1.2 (RFC 8446 §4.1.2); no resumption, no early data. */
export function toClientHello({ random, sessionId, shares, cookie, serverName }: ClientHello): Buffer {
  const keyShares = [...shares].map(([group, share]) => Buffer.concat([uint(2, group), vector(2, share.publicKey)]))
  const extensions = [
    // An address is no server name (RFC 6066 §3).
    ...(isIP(serverName) === 0 ? [extension(EXTENSION.serverName, toServerName(serverName))] : []),
    extension(EXTENSION.supportedGroups, vector(2, ...numbers(GROUPS.keys()))),
    extension(EXTENSION.pointFormats, vector(1, uint(1, 0))),
    extension(EXTENSION.signatureAlgorithms, vector(2, ...numbers(SIGNATURE_SCHEMES.keys()))),
    extension(EXTENSION.extendedMasterSecret, Buffer.alloc(0)),
    extension(EXTENSION.renegotiationInfo, vector(1)),
    extension(EXTENSION.supportedVersions, vector(1, uint(2, VERSION.tls13), uint(2, VERSION.tls12))),
    extension(EXTENSION.keyShare, vector(2, ...keyShares)),
    ...(cookie ? [extension(EXTENSION.cookie, vector(2, cookie))] : []),
  ]
  return toMessage(
    MESSAGE.clientHello,
    uint(2, VERSION.tls12),
    random,
    vector(1, sessionId),
    vector(2, ...numbers(SUITES.keys())),
    vector(1, uint(1, 0)), // no compression
    vector(2, ...extensions),
  )
}

const toServerName = (name: string): Buffer =>
  vector(2, uint(1, 0), vector(2, Buffer.from(name.toLowerCase().replace(/\.$/, ''), 'ascii')))
