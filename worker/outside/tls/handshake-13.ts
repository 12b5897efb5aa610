import { type X509Certificate, timingSafeEqual } from 'node:crypto'
import { TlsReader, uint, vector } from './bytes.ts'
import { failTls } from './failure.ts'
import {
  type Secrets13,
  expandKey,
  finishedMac13,
  handshakeSecret,
  masterSecret13,
  trafficSecrets,
} from './key-schedule.ts'
import { type HandshakeMessage, toMessage } from './messages.ts'
import type { Negotiated } from './negotiate.ts'
import { type CheckChain, acceptCertificate } from './peer-certificate.ts'
import { RecordKeys } from './record-keys.ts'
import type { RecordLayer } from './records.ts'
import { checkSignature } from './signatures.ts'
import { type CipherSuite, EXTENSION, MESSAGE, RECORD } from './suites.ts'

/* Handshake of TLS 1.3 after the ServerHello. */

const IV_BYTES = 12
const SIGNED_CONTEXT = Buffer.concat([Buffer.alloc(64, 0x20), Buffer.from('TLS 1.3, server CertificateVerify\0')])

export const toKeys13 = (suite: CipherSuite, secret: Buffer): RecordKeys =>
  new RecordKeys(
    suite,
    expandKey(suite.hash, secret, 'key', suite.keyBytes),
    expandKey(suite.hash, secret, 'iv', IV_BYTES),
  )

/** Finishes the handshake (RFC 8446 §4.3, §4.4). */
export async function finishTls13(
  records: RecordLayer,
  { hello, shares, messages }: Negotiated,
  checkChain: CheckChain,
): Promise<{ certificate: X509Certificate; secrets: Secrets13 }> {
  const { suite } = hello
  const { hash } = suite
  messages.checkBoundary()
  const shared = await computeShared(hello.extensions.get(EXTENSION.keyShare), shares)
  const handshake = handshakeSecret(hash, shared)
  const early = trafficSecrets(hash, handshake, 'hs', messages.hash(hash))
  records.readKeys = toKeys13(suite, early.server)

  messages.add((await messages.expect(MESSAGE.encryptedExtensions)).raw)
  let message = await messages.next()
  const request = message.type === MESSAGE.certificateRequest ? new TlsReader(message.body).vector(1) : null
  if (request) {
    messages.add(message.raw)
    message = await messages.next()
  }
  if (message.type !== MESSAGE.certificate) return failTls('no certificate')
  const certificate = acceptCertificate(readChain(message), checkChain)
  messages.add(message.raw)

  const verify = await messages.expect(MESSAGE.certificateVerify)
  const reader = new TlsReader(verify.body)
  const [scheme, signature] = [reader.uint(2), reader.vector(2)]
  reader.end()
  const data = Buffer.concat([SIGNED_CONTEXT, messages.hash(hash)])
  checkSignature(certificate, { scheme, data, signature }, true)
  messages.add(verify.raw)

  const finished = await messages.expect(MESSAGE.finished)
  const mac = finishedMac13(hash, early.server, messages.hash(hash))
  if (finished.body.length !== mac.length || !timingSafeEqual(finished.body, mac)) return failTls('Finished')
  messages.add(finished.raw)
  messages.checkBoundary()

  const secrets = trafficSecrets(hash, masterSecret13(hash, handshake), 'ap', messages.hash(hash))
  await records.write(RECORD.changeCipherSpec, uint(1, 1)) // for middleboxes (RFC 8446 §D.4)
  records.writeKeys = toKeys13(suite, early.client)
  if (request) {
    const none = toMessage(MESSAGE.certificate, vector(1, request), vector(3))
    messages.add(none)
    await records.write(RECORD.handshake, none)
  }
  const ours = toMessage(MESSAGE.finished, finishedMac13(hash, early.client, messages.hash(hash)))
  await records.write(RECORD.handshake, ours)
  records.writeKeys = toKeys13(suite, secrets.client)
  records.readKeys = toKeys13(suite, secrets.server)
  return { certificate, secrets }
}

async function computeShared(extension: Buffer | undefined, shares: Negotiated['shares']): Promise<Buffer> {
  const reader = new TlsReader(extension ?? failTls('no key share'))
  const [group, peer] = [reader.uint(2), reader.vector(2)]
  reader.end()
  return (shares.get(group) ?? failTls('key share that was not offered')).computeSecret(peer)
}

function readChain({ body }: HandshakeMessage): Buffer[] {
  const reader = new TlsReader(body)
  if (reader.vector(1).length > 0) return failTls('context of a certificate')
  const list = new TlsReader(reader.vector(3))
  reader.end()
  const ders: Buffer[] = []
  while (list.left > 0) {
    ders.push(list.vector(3))
    list.vector(2) // its extensions
  }
  return ders
}
