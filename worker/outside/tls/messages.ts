import { failDirectory, failTls } from './failure.ts'
import { uint, vector } from './bytes.ts'
import { digest } from './key-schedule.ts'
import type { RecordLayer } from './records.ts'
import { MESSAGE, RECORD, type TlsHash } from './suites.ts'

/* Handshake messages of TLS and their transcript. */

const HEADER_BYTES = 4
const MESSAGE_MAX = 131_072 // a chain of ten certificates is a tenth of it

export interface HandshakeMessage {
  readonly type: number
  readonly body: Buffer
  readonly raw: Buffer
}

export const toMessage = (type: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([uint(1, type), vector(3, ...parts)])

/** Messages of a handshake, which may span several records, and the transcript that both sides sign. */
export class HandshakeMessages {
  private readonly records: RecordLayer
  private buffered: Buffer = Buffer.alloc(0)
  private transcript: Uint8Array[] = []

  constructor(records: RecordLayer) {
    this.records = records
  }

  /** Reads the next message. The caller adds it to the transcript after the check of its signature or MAC. */
  async next(): Promise<HandshakeMessage> {
    for (;;) {
      const message = this.takeMessage()
      if (message) return message
      const record = await this.records.read()
      if (record === null) return failDirectory('closed', {}, 'TLS handshake')
      if (record.type !== RECORD.handshake) return failTls(`record of type ${record.type} in the handshake`)
      this.push(record.data)
    }
  }

  async expect(type: number): Promise<HandshakeMessage> {
    const message = await this.next()
    return message.type === type ? message : failTls(`message ${message.type} instead of ${type}`)
  }

  push(data: Buffer): void {
    this.buffered = Buffer.concat([this.buffered, data])
  }

  takeMessage(): HandshakeMessage | null {
    if (this.buffered.length < HEADER_BYTES) return null
    const end = HEADER_BYTES + this.buffered.readUIntBE(1, 3)
    if (end > MESSAGE_MAX) return failTls('handshake message too large')
    if (this.buffered.length < end) return null
    const raw = this.buffered.subarray(0, end)
    this.buffered = this.buffered.subarray(end)
    return { type: raw[0] ?? 0, body: raw.subarray(HEADER_BYTES), raw }
  }

  /** Fails if bytes are left at a change of keys: they came under the old key (RFC 8446 §5.1). */
  checkBoundary(): void {
    if (this.buffered.length > 0) failTls('data across a change of keys')
  }

  add(raw: Uint8Array): void {
    this.transcript.push(raw)
  }

  /** Replaces the first ClientHello by its hash after a HelloRetryRequest (RFC 8446 §4.4.1). */
  replaceWithHash(hash: TlsHash): void {
    this.transcript = [toMessage(MESSAGE.messageHash, this.hash(hash))]
  }

  hash(hash: TlsHash): Buffer {
    return digest(hash, this.transcript)
  }
}
