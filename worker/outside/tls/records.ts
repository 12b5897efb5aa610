import { failDirectory, checkAlert, failTls } from './failure.ts'
import { type Pipe, ByteQueue } from './pipe.ts'
import { PLAINTEXT_MAX, type RecordKeys, type TlsRecord, toHeader } from './record-keys.ts'
import { RECORD } from './suites.ts'

/* Record layer of TLS. */

const HEADER_BYTES = 5
const EXPANSION_MAX = 256 // RFC 8446 §5.2
const EMPTY_IN_ROW_MAX = 32 // records without data
const IGNORED_CHANGE_CIPHER_SPECS_MAX = 4 // TLS 1.3 servers send them for old middleboxes

/** Records over a pipe (RFC 8446 §5). The handshake sets the keys. */
export class RecordLayer {
  /** Set after the ServerHello. */
  isTls13 = false
  isEstablished = false
  readKeys: RecordKeys | null = null
  writeKeys: RecordKeys | null = null
  private readonly pipe: Pipe
  private readonly queue = new ByteQueue()
  private hasReceived = false
  private emptyInRow = 0
  private ignoredChangeCipherSpecs = 0

  constructor(pipe: Pipe) {
    this.pipe = pipe
  }

  /** Reads the next record of a handshake, a ChangeCipherSpec or data; null at the end of the connection. */
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
      this.emptyInRow = record.data.length === 0 ? this.emptyInRow + 1 : 0
      if (this.emptyInRow > EMPTY_IN_ROW_MAX) return failTls('empty records')
      return record
    }
  }

  async write(type: number, data: Uint8Array, version?: number): Promise<void> {
    for (let from = 0; from === 0 || from < data.length; from += PLAINTEXT_MAX) {
      const part = data.subarray(from, from + PLAINTEXT_MAX)
      const record = this.writeKeys?.seal(type, part) ?? Buffer.concat([toHeader(type, part.length, version), part])
      await this.pipe.write(record)
    }
  }

  private async fill(count: number): Promise<boolean> {
    while (this.queue.length < count) {
      const bytes = await this.pipe.read()
      // A server of another protocol closes the connection without an answer.
      if (bytes === null) return this.hasReceived ? false : failDirectory('not_tls')
      this.hasReceived = true
      this.queue.push(bytes)
      if (!this.isEstablished && this.queue.length > 0) checkType(this.queue.peek(1)[0])
    }
    return true
  }

  /** Decrypts a record; null for a TLS 1.3 compatibility ChangeCipherSpec, which is ignored. */
  private toPlain(header: Buffer, body: Buffer): TlsRecord | null {
    const type = header[0] ?? 0
    if (type === RECORD.changeCipherSpec) return this.takeChangeCipherSpec(body)
    if (this.readKeys) {
      if (this.isTls13 && type !== RECORD.data) return failTls('unencrypted record')
      return this.readKeys.open(header, body)
    }
    if (type === RECORD.data || body.length === 0) return failTls('data before encryption')
    return { type, data: body }
  }

  private takeChangeCipherSpec(body: Buffer): TlsRecord | null {
    const isRegular = !this.isEstablished && body.length === 1 && body[0] === 1
    if (!isRegular || (this.readKeys !== null && !this.isTls13)) return failTls('ChangeCipherSpec')
    if (!this.isTls13) return { type: RECORD.changeCipherSpec, data: body }
    this.ignoredChangeCipherSpecs++
    return this.ignoredChangeCipherSpecs > IGNORED_CHANGE_CIPHER_SPECS_MAX ? failTls('ChangeCipherSpec') : null
  }
}

function readLength(header: Buffer): number {
  checkType(header[0])
  if (header[1] !== 3) return failDirectory('not_tls')
  const length = header.readUInt16BE(3)
  return length > PLAINTEXT_MAX + EXPANSION_MAX ? failTls('record overflow') : length
}

/** Checks the first byte of a record: another protocol on this port, such as LDAP or HTTP, has another one. */
function checkType(type: number | undefined): void {
  if (type === undefined || type < RECORD.changeCipherSpec || type > RECORD.data) failDirectory('not_tls')
}
