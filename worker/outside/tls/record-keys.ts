import { type CipherGCMTypes, createCipheriv, createDecipheriv } from 'node:crypto'
import { uint } from './bytes.ts'
import { failTls } from './failure.ts'
import { type CipherSuite, RECORD, VERSION } from './suites.ts'

/* Encryption and decryption of TLS records. */

const TAG_BYTES = 16
export const PLAINTEXT_MAX = 16_384

export interface TlsRecord {
  readonly type: number
  readonly data: Buffer
}

/** Keys of one direction: AEAD of TLS 1.3 (RFC 8446 §5.2) or TLS 1.2 (RFC 5246 §6.2.3.3, 5288, 7905). */
export class RecordKeys {
  private sequence = 0n
  private readonly suite: CipherSuite
  private readonly key: Uint8Array
  private readonly iv: Buffer
  private readonly isTls13: boolean

  constructor(suite: CipherSuite, key: Uint8Array, iv: Buffer) {
    this.suite = suite
    this.key = key
    this.iv = iv
    this.isTls13 = suite.auth === null
  }

  /** TLS 1.2 with GCM writes eight bytes of the nonce in front of each record. */
  private get hasExplicitNonce(): boolean {
    return !this.isTls13 && this.suite.aead !== 'chacha20-poly1305'
  }

  seal(type: number, data: Uint8Array): Buffer {
    const text = this.isTls13 ? Buffer.concat([data, uint(1, type)]) : data
    const explicit = this.hasExplicitNonce ? this.counter() : Buffer.alloc(0)
    const length = explicit.length + text.length + TAG_BYTES
    const header = toHeader(this.isTls13 ? RECORD.data : type, length)
    const cipher = createCipheriv(this.algorithm, this.key, this.nonce(explicit), { authTagLength: TAG_BYTES })
    cipher.setAAD(this.isTls13 ? header : this.associatedData(type, text.length))
    const sealed = Buffer.concat([cipher.update(text), cipher.final()])
    this.sequence++
    return Buffer.concat([header, explicit, sealed, cipher.getAuthTag()])
  }

  open(header: Buffer, body: Buffer): TlsRecord {
    const explicitBytes = this.hasExplicitNonce ? 8 : 0
    if (body.length < explicitBytes + TAG_BYTES) return failTls('short record')
    const sealed = body.subarray(explicitBytes, -TAG_BYTES)
    const nonce = this.nonce(body.subarray(0, explicitBytes))
    const decipher = createDecipheriv(this.algorithm, this.key, nonce, { authTagLength: TAG_BYTES })
    const type = header[0] ?? 0
    decipher.setAAD(this.isTls13 ? header : this.associatedData(type, sealed.length))
    decipher.setAuthTag(body.subarray(-TAG_BYTES))
    const data = finish(decipher, sealed)
    this.sequence++
    return this.isTls13 ? unpad(data) : checkLength({ type, data })
  }

  /** Types ChaCha20-Poly1305 as GCM: Node uses both alike, but its types differ. */
  private get algorithm(): CipherGCMTypes {
    return this.suite.aead as CipherGCMTypes
  }

  private counter(): Buffer {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(this.sequence)
    return bytes
  }

  private nonce(explicit: Buffer): Buffer {
    if (explicit.length > 0) return Buffer.concat([this.iv, explicit])
    const nonce = Buffer.from(this.iv)
    const counter = this.counter()
    for (let index = 0; index < counter.length; index++)
      nonce[4 + index] = (nonce[4 + index] ?? 0) ^ (counter[index] ?? 0)
    return nonce
  }

  private associatedData(type: number, length: number): Buffer {
    return Buffer.concat([this.counter(), toHeader(type, length)])
  }
}

export const toHeader = (type: number, length: number, version: number = VERSION.tls12): Buffer =>
  Buffer.concat([uint(1, type), uint(2, version), uint(2, length)])

function finish(decipher: ReturnType<typeof createDecipheriv>, sealed: Buffer): Buffer {
  try {
    const data = decipher.update(sealed)
    const rest = decipher.final()
    return rest.length === 0 ? data : Buffer.concat([data, rest])
  } catch {
    return failTls('record that was altered on the way')
  }
}

/** Type and data of a TLS 1.3 record without its padding, which is zeros at the end (RFC 8446 §5.4). */
function unpad(data: Buffer): TlsRecord {
  let end = data.length
  while (end > 0 && data[end - 1] === 0) end--
  if (end === 0) return failTls('record without a type')
  return checkLength({ type: data[end - 1] ?? 0, data: data.subarray(0, end - 1) })
}

const checkLength = (record: TlsRecord): TlsRecord =>
  record.data.length > PLAINTEXT_MAX ? failTls('record overflow') : record
