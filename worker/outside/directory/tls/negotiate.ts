import { randomBytes } from 'node:crypto'
import { TlsReader } from './bytes.ts'
import { toClientHello } from './client-hello.ts'
import { failTls } from './fail.ts'
import { FIRST_GROUPS, GROUPS, type KeyShare, createShare } from './key-exchange.ts'
import { type HandshakeMessage, HandshakeMessages } from './messages.ts'
import type { RecordLayer } from './records.ts'
import { type ServerHello, readServerHello } from './server-hello.ts'
import { EXTENSION, MESSAGE, RECORD, VERSION } from './suites.ts'

export interface Negotiated {
  readonly hello: ServerHello
  readonly clientRandom: Buffer
  readonly shares: ReadonlyMap<number, KeyShare>
  readonly messages: HandshakeMessages
}

/** ClientHello, at most one HelloRetryRequest, ServerHello (RFC 8446 §4.1). */
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

/** What the second ClientHello carries; a retry that would change nothing is refused. */
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
