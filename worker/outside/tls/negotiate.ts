import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { TlsReader, uint, vector } from './bytes.ts'
import { failTls } from './failure.ts'
import { FIRST_GROUPS, GROUPS, type KeyShare, createShare } from './key-exchange.ts'
import { type HandshakeMessage, HandshakeMessages, toMessage } from './messages.ts'
import type { RecordLayer } from './records.ts'
import { type ServerHello, readServerHello } from './server-hello.ts'
import { SIGNATURE_SCHEMES } from './signatures.ts'
import { EXTENSION, MESSAGE, RECORD, VERSION, SUITES } from './suites.ts'

/* Negotiation of TLS: ClientHello, at most one HelloRetryRequest, ServerHello. */

export interface Negotiated {
  readonly hello: ServerHello
  readonly clientRandom: Buffer
  readonly shares: ReadonlyMap<number, KeyShare>
  readonly messages: HandshakeMessages
}

interface ClientHello {
  readonly random: Buffer
  readonly sessionId: Buffer
  readonly shares: ReadonlyMap<number, KeyShare>
  /** Cookie of a HelloRetryRequest, to be sent back. */
  readonly cookie: Buffer | null
  readonly serverName: string
}

const extension = (type: number, data: Uint8Array): Buffer => Buffer.concat([uint(2, type), vector(2, data)])
const numbers = (values: Iterable<number>): Buffer[] => [...values].map((value) => uint(2, value))

/** ClientHello that offers TLS 1.3 and 1.2 (RFC 8446 §4.1.2); no resumption, no early data. */
function toClientHello({ random, sessionId, shares, cookie, serverName }: ClientHello): Buffer {
  const keyShares = [...shares].map(([group, share]) => Buffer.concat([uint(2, group), vector(2, share.publicKey)]))
  const extensions = [
    // An IP address is no server name (RFC 6066 §3).
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

/** Negotiates version, cipher suite and key share (RFC 8446 §4.1). */
export async function negotiate(records: RecordLayer, serverName: string): Promise<Negotiated> {
  const messages = new HandshakeMessages(records)
  const [clientRandom, sessionId] = [randomBytes(32), randomBytes(32)]
  const send = async (shares: ReadonlyMap<number, KeyShare>, cookie: Buffer | null, version: number) => {
    const raw = toClientHello({ random: clientRandom, sessionId, shares, cookie, serverName })
    messages.add(raw)
    await records.write(RECORD.handshake, raw, version)
  }
  const receive = async (): Promise<[ServerHello, HandshakeMessage]> => {
    const message = await messages.expect(MESSAGE.serverHello)
    return [readServerHello(message.body, sessionId), message]
  }
  let shares: ReadonlyMap<number, KeyShare> = await createShares(FIRST_GROUPS)
  await send(shares, null, VERSION.tls10)
  let [hello, message] = await receive()
  records.isTls13 = hello.isTls13
  if (hello.isRetry) {
    const first = hello
    messages.replaceWithHash(hello.suite.hash)
    messages.add(message.raw)
    const retry = await readRetry(hello, shares)
    shares = retry.shares
    await send(shares, retry.cookie, VERSION.tls12)
    ;[hello, message] = await receive()
    if (hello.isRetry || !hello.isTls13 || hello.suiteId !== first.suiteId) failTls('answer to a second ClientHello')
  }
  messages.add(message.raw)
  return { hello, clientRandom, shares, messages }
}

const createShares = async (groups: readonly number[]): Promise<ReadonlyMap<number, KeyShare>> =>
  new Map(await Promise.all(groups.map(async (group) => [group, await createShare(group)] as const)))

/** Reads key shares and cookie of the second ClientHello. A retry that changes nothing is refused. */
async function readRetry(
  { extensions }: ServerHello,
  offered: ReadonlyMap<number, KeyShare>,
): Promise<{ shares: ReadonlyMap<number, KeyShare>; cookie: Buffer | null }> {
  const chosen = extensions.get(EXTENSION.keyShare)
  const sent = extensions.get(EXTENSION.cookie)
  if (!chosen && !sent) return failTls('retry without a change')
  const cookie = sent ? new TlsReader(sent).vector(2) : null
  if (!chosen) return { shares: offered, cookie }
  const group = new TlsReader(chosen).uint(2)
  if (!GROUPS.has(group) || offered.has(group)) return failTls('group of a retry')
  return { shares: await createShares([group]), cookie }
}
