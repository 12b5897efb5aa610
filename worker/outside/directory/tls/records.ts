import { ByteQueue } from '../byte-queue.ts'
import { failDirectory } from '../failure.ts'
import type { Pipe } from '../pipe.ts'
import { checkAlert, failTls } from './fail.ts'
import { PLAINTEXT_MAX, type RecordKeys, type TlsRecord, toHeader } from './record-keys.ts'
import { RECORD } from './suites.ts'

const HEADER_BYTES = 5
const EXPANSION_MAX = 256 // RFC 8446 §5.2
const EMPTY_MAX = 32 // records without data, in a row
const COMPATIBILITY_MAX = 4 // ChangeCipherSpec records that TLS 1.3 servers send for old middleboxes

/** Records over a pipe (RFC 8446 §5); keys are set as the handshake proceeds. */
export class RecordLayer {
  /** Known once the ServerHello is read. */
  isTls13 = false
  isEstablished = false
  reading: RecordKeys | null = null
  writing: RecordKeys | null = null
  private readonly pipe: Pipe
  private readonly queue = new ByteQueue()
  private hasReceived = false
  private empty = 0
  private compatibility = 0

  constructor(pipe: Pipe) {
    this.pipe = pipe
  }

  /** The next record of a handshake, a ChangeCipherSpec or data; null at the end of the connection. */
  async read(): Promise<TlsRecord | null> {
    for (;;) {
      if (!(await this.fill(HEADER_BYTES))) return null
      const length = readLength(this.queue.peek(HEADER_BYTES))
      if (!(await this.fill(HEADER_BYTES + length))) return null
      const record = this.toPlain(this.queue.take(HEADER_BYTES), this.queue.take(length))
      if (record === null) continue
      if (record.type === RECORD.alert) {
        checkAlert(record.data)
        return null
      }
      this.empty = record.data.length === 0 ? this.empty + 1 : 0
      if (this.empty > EMPTY_MAX) return failTls('empty records')
      return record
    }
  }

  async write(type: number, data: Uint8Array, version?: number): Promise<void> {
    for (let from = 0; from === 0 || from < data.length; from += PLAINTEXT_MAX) {
      const part = data.subarray(from, from + PLAINTEXT_MAX)
      const record = this.writing?.seal(type, part) ?? Buffer.concat([toHeader(type, part.length, version), part])
      await this.pipe.write(record)
    }
  }

  private async fill(count: number): Promise<boolean> {
    while (this.queue.length < count) {
      const bytes = await this.pipe.read()
      // A server of another protocol hangs up without a word.
      if (bytes === null) return this.hasReceived ? false : failDirectory('not_tls')
      this.hasReceived = true
      this.queue.push(bytes)
      if (!this.isEstablished && this.queue.length > 0) checkType(this.queue.peek(1)[0])
    }
    return true
  }

  /** Null for a record that means nothing. */
  private toPlain(header: Buffer, body: Buffer): TlsRecord | null {
    const type = header[0] ?? 0
    if (type === RECORD.changeCipherSpec) return this.takeChangeCipherSpec(body)
    if (this.reading) {
      if (this.isTls13 && type !== RECORD.data) return failTls('unencrypted record')
      return this.reading.open(header, body)
    }
    if (type === RECORD.data || body.length === 0) return failTls('data before encryption')
    return { type, data: body }
  }

  private takeChangeCipherSpec(body: Buffer): TlsRecord | null {
    const isRegular = !this.isEstablished && body.length === 1 && body[0] === 1
    if (!isRegular || (this.reading !== null && !this.isTls13)) return failTls('ChangeCipherSpec')
    if (!this.isTls13) return { type: RECORD.changeCipherSpec, data: body }
    this.compatibility++
    return this.compatibility > COMPATIBILITY_MAX ? failTls('ChangeCipherSpec') : null
  }
}

function readLength(header: Buffer): number {
  checkType(header[0])
  if (header[1] !== 3) return failDirectory('not_tls')
  const length = header.readUInt16BE(3)
  return length > PLAINTEXT_MAX + EXPANSION_MAX ? failTls('record overflow') : length
}

/** A server that speaks LDAP, HTTP or anything else on this port shows it with its first byte. */
function checkType(type: number | undefined): void {
  if (type === undefined || type < RECORD.changeCipherSpec || type > RECORD.data) failDirectory('not_tls')
}
