import type { X509Certificate } from 'node:crypto'
import { failTls } from './failure.ts'
import type { Pipe } from './pipe.ts'
import { finishTls12 } from './handshake-12.ts'
import { finishTls13, toKeys13 } from './handshake-13.ts'
import { type Secrets13, nextTrafficSecret } from './key-schedule.ts'
import { type HandshakeMessage, type HandshakeMessages, toMessage } from './messages.ts'
import { negotiate } from './negotiate.ts'
import type { CheckChain } from './peer-certificate.ts'
import { RecordLayer } from './records.ts'
import { RECORD, type CipherSuite, MESSAGE } from './suites.ts'

/* TLS 1.2 and 1.3 client over a pipe. */

export interface TlsPipe extends Pipe {
  readonly version: '1.2' | '1.3'
  readonly certificate: X509Certificate
}

/** Byte of a KeyUpdate (RFC 8446 §4.6.3). */
const UPDATE = { notRequested: 0, requested: 1 } as const

/** Post-handshake messages of TLS 1.3: NewSessionTicket (ignored) and KeyUpdate (RFC 8446 §4.6). */
class PostHandshake {
  private readonly records: RecordLayer
  private readonly suite: CipherSuite
  private server: Buffer
  private client: Buffer

  constructor(records: RecordLayer, suite: CipherSuite, { server, client }: Secrets13) {
    this.records = records
    this.suite = suite
    this.server = server
    this.client = client
  }

  async receive(messages: HandshakeMessages, data: Buffer): Promise<void> {
    messages.push(data)
    for (let message = messages.takeMessage(); message; message = messages.takeMessage()) {
      if (message.type === MESSAGE.newSessionTicket) continue
      const isReplyRequested = readKeyUpdate(message)
      messages.checkBoundary()
      await this.update(isReplyRequested)
    }
  }

  private async update(isReplyRequested: boolean): Promise<void> {
    const { hash } = this.suite
    this.server = nextTrafficSecret(hash, this.server)
    this.records.readKeys = toKeys13(this.suite, this.server)
    if (!isReplyRequested) return
    await this.records.write(RECORD.handshake, toMessage(MESSAGE.keyUpdate, Uint8Array.of(UPDATE.notRequested)))
    this.client = nextTrafficSecret(hash, this.client)
    this.records.writeKeys = toKeys13(this.suite, this.client)
  }
}

/** Reads a KeyUpdate; true if the client must also change its keys. Fails for any other message. */
function readKeyUpdate({ type, body }: HandshakeMessage): boolean {
  if (type === MESSAGE.keyUpdate && body.length === 1) {
    if (body[0] === UPDATE.requested) return true
    if (body[0] === UPDATE.notRequested) return false
  }
  return failTls('message after the handshake')
}

/**
 * Opens TLS with the primitives of node:crypto: the TLS of the runtime accepts no CA of a customer and checks the dialled
 * name. No resumption, no renegotiation, no client certificates.
 */
export async function openTls(pipe: Pipe, serverName: string, checkChain: CheckChain): Promise<TlsPipe> {
  const records = new RecordLayer(pipe)
  const negotiated = await negotiate(records, serverName)
  const { messages } = negotiated
  const { suite, isTls13 } = negotiated.hello
  if (!isTls13) {
    const { certificate } = await finishTls12(records, negotiated, checkChain)
    return toPipe(pipe, records, { certificate, version: '1.2' }, refuseMessages)
  }
  const { certificate, secrets } = await finishTls13(records, negotiated, checkChain)
  const postHandshake = new PostHandshake(records, suite, secrets)
  return toPipe(pipe, records, { certificate, version: '1.3' }, (data) => postHandshake.receive(messages, data))
}

const refuseMessages = (): Promise<void> => failTls('renegotiation')

function toPipe(
  pipe: Pipe,
  records: RecordLayer,
  peer: Pick<TlsPipe, 'version' | 'certificate'>,
  receiveMessages: (data: Buffer) => Promise<void>,
): TlsPipe {
  records.isEstablished = true
  let isClosed = false
  return {
    ...peer,
    async read() {
      for (;;) {
        const record = await records.read()
        if (record === null) return null
        if (record.type === RECORD.handshake) await receiveMessages(record.data)
        else if (record.type !== RECORD.data) return failTls(`record of type ${record.type}`)
        else if (record.data.length > 0) return record.data
      }
    },
    write: (bytes) => records.write(RECORD.data, bytes),
    close(reason) {
      if (isClosed) return
      isClosed = true
      const end = () => pipe.close(reason)
      records.write(RECORD.alert, Uint8Array.of(1, 0)).then(end, end) // close_notify
    },
  }
}
