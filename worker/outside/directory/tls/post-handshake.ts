import { failTls } from './fail.ts'
import { toKeys13 } from './handshake-13.ts'
import { type Secrets13, nextTrafficSecret } from './key-schedule.ts'
import { type HandshakeMessage, type HandshakeMessages, toMessage } from './messages.ts'
import type { RecordLayer } from './records.ts'
import { type CipherSuite, MESSAGE, RECORD } from './suites.ts'

/** The one byte of a KeyUpdate (RFC 8446 §4.6.3). */
const UPDATE = { notRequested: 0, requested: 1 } as const

/** Post-handshake messages of TLS 1.3: NewSessionTicket (ignored) and KeyUpdate (RFC 8446 §4.6). */
export class PostHandshake {
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

/** Whether the server asks for new keys of the client, too; fails for any other message. */
function readKeyUpdate({ type, body }: HandshakeMessage): boolean {
  if (type === MESSAGE.keyUpdate && body.length === 1) {
    if (body[0] === UPDATE.requested) return true
    if (body[0] === UPDATE.notRequested) return false
  }
  return failTls('message after the handshake')
}
