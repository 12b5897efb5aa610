import { type X509Certificate, timingSafeEqual } from 'node:crypto'
import { DirectoryError, failTls } from './failure.ts'
import { TlsReader, uint, vector } from './bytes.ts'
import { createShare } from './key-exchange.ts'
import { prf } from './key-schedule.ts'
import { type HandshakeMessage, type HandshakeMessages, toMessage } from './messages.ts'
import type { Negotiated } from './negotiate.ts'
import { type CheckChain, acceptCertificate } from './peer-certificate.ts'
import { RecordKeys } from './record-keys.ts'
import type { RecordLayer } from './records.ts'
import { checkSignature } from './signatures.ts'
import { type CipherSuite, EXTENSION, MESSAGE, RECORD } from './suites.ts'

/* Handshake of TLS 1.2 after the ServerHello. */

const NAMED_CURVE = 3
const VERIFY_BYTES = 12
const MASTER_BYTES = 48

/** Finishes the handshake, with ECDHE (RFC 5246 §7.4, RFC 8422 §5). */
export async function finishTls12(
  records: RecordLayer,
  negotiated: Negotiated,
  checkChain: CheckChain,
): Promise<{ certificate: X509Certificate }> {
  const { hello, messages, clientRandom } = negotiated
  const { suite } = hello
  const certificate = acceptCertificate(await readChain(messages), checkChain)
  if (certificate.publicKey.asymmetricKeyType !== suite.auth) return failTls('certificate of another cipher')
  let message = await messages.next()
  if (message.type === MESSAGE.certificateStatus) {
    messages.add(message.raw)
    message = await messages.next()
  }
  const exchange = readKeyExchange(message, certificate, Buffer.concat([clientRandom, hello.random]))
  messages.add(message.raw)

  message = await messages.next()
  const isAsked = message.type === MESSAGE.certificateRequest
  if (isAsked) {
    messages.add(message.raw)
    message = await messages.next()
  }
  if (message.type !== MESSAGE.serverHelloDone || message.body.length > 0) return failTls('ServerHelloDone')
  messages.checkBoundary()
  messages.add(message.raw)

  try {
    if (isAsked) await send(records, messages, toMessage(MESSAGE.certificate, vector(3)))
    const share = negotiated.shares.get(exchange.group) ?? (await createShare(exchange.group))
    await send(records, messages, toMessage(MESSAGE.clientKeyExchange, vector(1, share.publicKey)))
    const master = computeMaster(negotiated, await share.computeSecret(exchange.peer))
    await exchangeFinished(records, negotiated, master)
  } catch (error) {
    throw isAsked ? toClientFailure(error) : error
  }
  return { certificate }
}

/** Failure of a missing client certificate. TLS 1.2 has no alert for it (RFC 5246 §7.4.6): some servers only close. */
const toClientFailure = (error: unknown): unknown =>
  error instanceof DirectoryError && ['ciphers_too_old', 'closed'].includes(error.reason)
    ? new DirectoryError('client_certificate_needed')
    : error

async function send(records: RecordLayer, messages: HandshakeMessages, message: Buffer): Promise<void> {
  messages.add(message)
  await records.write(RECORD.handshake, message)
}

async function readChain(messages: HandshakeMessages): Promise<Buffer[]> {
  const message = await messages.expect(MESSAGE.certificate)
  const reader = new TlsReader(message.body)
  const list = new TlsReader(reader.vector(3))
  reader.end()
  const ders: Buffer[] = []
  while (list.left > 0) ders.push(list.vector(3))
  messages.add(message.raw)
  return ders
}

/** Reads the server's key share, which is signed together with both random values (RFC 8422 §5.4). */
function readKeyExchange(
  { type, body }: HandshakeMessage,
  certificate: X509Certificate,
  randoms: Buffer,
): { group: number; peer: Buffer } {
  if (type !== MESSAGE.serverKeyExchange) return failTls('no key exchange')
  const reader = new TlsReader(body)
  if (reader.uint(1) !== NAMED_CURVE) return failTls('kind of curve')
  const [group, peer] = [reader.uint(2), reader.vector(1)]
  const params = reader.consumed
  const [scheme, signature] = [reader.uint(2), reader.vector(2)]
  reader.end()
  checkSignature(certificate, { scheme, data: Buffer.concat([randoms, params]), signature }, false)
  return { group, peer }
}

function computeMaster({ hello, clientRandom, messages }: Negotiated, shared: Buffer): Buffer {
  const { hash } = hello.suite
  if (hello.extensions.has(EXTENSION.extendedMasterSecret)) {
    return prf(hash, shared, 'extended master secret', messages.hash(hash), MASTER_BYTES) // RFC 7627 §4
  }
  return prf(hash, shared, 'master secret', Buffer.concat([clientRandom, hello.random]), MASTER_BYTES)
}

/** Exchanges ChangeCipherSpec and Finished with the server (RFC 5246 §7.4.9). */
async function exchangeFinished(records: RecordLayer, negotiated: Negotiated, master: Buffer): Promise<void> {
  const { hello, messages, clientRandom } = negotiated
  const { hash } = hello.suite
  const keys = deriveKeys(hello.suite, master, Buffer.concat([hello.random, clientRandom]))
  const verifyData = (label: string) => prf(hash, master, label, messages.hash(hash), VERIFY_BYTES)
  await records.write(RECORD.changeCipherSpec, uint(1, 1))
  records.writeKeys = keys.client
  await send(records, messages, toMessage(MESSAGE.finished, verifyData('client finished')))

  const change = await records.read()
  if (change?.type !== RECORD.changeCipherSpec) return failTls('no ChangeCipherSpec')
  records.readKeys = keys.server
  const expected = verifyData('server finished')
  const { body } = await messages.expect(MESSAGE.finished)
  if (body.length !== expected.length || !timingSafeEqual(body, expected)) return failTls('Finished')
  messages.checkBoundary()
}

function deriveKeys(suite: CipherSuite, master: Buffer, seed: Buffer): { client: RecordKeys; server: RecordKeys } {
  const ivBytes = suite.aead === 'chacha20-poly1305' ? 12 : 4 // RFC 7905 §2, RFC 5288 §3
  const block = new TlsReader(prf(suite.hash, master, 'key expansion', seed, 2 * (suite.keyBytes + ivBytes)))
  const [clientKey, serverKey] = [block.take(suite.keyBytes), block.take(suite.keyBytes)]
  const [clientIv, serverIv] = [block.take(ivBytes), block.take(ivBytes)]
  return { client: new RecordKeys(suite, clientKey, clientIv), server: new RecordKeys(suite, serverKey, serverIv) }
}
