import { failDirectory, failTls } from './failure.ts'
import { TlsReader } from './bytes.ts'
import { type CipherSuite, EXTENSION, SUITES, VERSION } from './suites.ts'

/* ServerHello and HelloRetryRequest of TLS, and their checks. */

/** Random value that marks a HelloRetryRequest (RFC 8446 §4.1.3). */
const RETRY_RANDOM = 'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c'
const DOWNGRADE_MARK = 'DOWNGRD'

const ALLOWED = {
  retry: [EXTENSION.supportedVersions, EXTENSION.keyShare, EXTENSION.cookie],
  tls13: [EXTENSION.supportedVersions, EXTENSION.keyShare],
  tls12: [
    EXTENSION.serverName,
    EXTENSION.supportedGroups, // out of place, but sent by some old servers
    EXTENSION.pointFormats,
    EXTENSION.extendedMasterSecret,
    EXTENSION.renegotiationInfo,
  ],
} as const

export interface ServerHello {
  readonly isTls13: boolean
  readonly isRetry: boolean
  readonly random: Buffer
  readonly suiteId: number
  readonly suite: CipherSuite
  readonly extensions: ReadonlyMap<number, Buffer>
}

/** Reads a ServerHello or HelloRetryRequest and checks that it chooses only from the offer. */
export function readServerHello(body: Buffer, sessionId: Buffer): ServerHello {
  const reader = new TlsReader(body)
  if (reader.uint(2) !== VERSION.tls12) return failDirectory('protocol_too_old')
  const random = reader.take(32)
  const echoedId = reader.vector(1)
  const suiteId = reader.uint(2)
  const suite = SUITES.get(suiteId)
  if (!suite) return failTls('cipher that was not offered')
  if (reader.uint(1) !== 0) return failTls('compression')
  const extensions = readExtensions(reader.left > 0 ? reader.vector(2) : Buffer.alloc(0))
  reader.end()
  const isTls13 = checkVersion(extensions, suite)
  const isRetry = isTls13 && random.toString('hex') === RETRY_RANDOM
  checkExtensions(extensions, isRetry ? ALLOWED.retry : isTls13 ? ALLOWED.tls13 : ALLOWED.tls12)
  if (isTls13 !== echoedId.equals(sessionId)) return failTls('session that was not offered')
  if (!isTls13) checkTls12(random, extensions)
  return { isTls13, isRetry, random, suiteId, suite, extensions }
}

function readExtensions(bytes: Buffer): Map<number, Buffer> {
  const reader = new TlsReader(bytes)
  const extensions = new Map<number, Buffer>()
  while (reader.left > 0) {
    const type = reader.uint(2)
    if (extensions.has(type)) failTls('extension twice')
    extensions.set(type, reader.vector(2))
  }
  return extensions
}

function checkVersion(extensions: ReadonlyMap<number, Buffer>, suite: CipherSuite): boolean {
  const chosen = extensions.get(EXTENSION.supportedVersions)
  const isTls13 = chosen !== undefined
  if (isTls13 && (chosen.length !== 2 || chosen.readUInt16BE(0) !== VERSION.tls13)) failTls('version not offered')
  if (isTls13 !== (suite.auth === null)) failTls('cipher of another version')
  return isTls13
}

function checkExtensions(extensions: ReadonlyMap<number, Buffer>, allowed: readonly number[]): void {
  for (const type of extensions.keys()) if (!allowed.includes(type)) failTls('extension that was not offered')
}

/** Fails for the mark of a TLS 1.3 server in a TLS 1.2 reply: an attacker in between forced the older version. */
function checkTls12(random: Buffer, extensions: ReadonlyMap<number, Buffer>): void {
  if (random.toString('latin1', 24, 31) === DOWNGRADE_MARK) failTls('downgrade')
  const renegotiation = extensions.get(EXTENSION.renegotiationInfo)
  if (renegotiation && !renegotiation.equals(Buffer.from([0]))) failTls('renegotiation')
}
