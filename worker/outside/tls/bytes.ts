import { failTls } from './failure.ts'

/* Encoding and decoding of the presentation language of TLS (RFC 8446 §3). */

type Size = 1 | 2 | 3

/** Encodes an unsigned integer (RFC 8446 §3.3). */
export function uint(size: Size, value: number): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}

/** Encodes a vector: its length in `size` bytes, then the parts (RFC 8446 §3.4). */
export function vector(size: Size, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([uint(size, length), ...parts])
}

/** Reads bytes of a peer. A length beyond the end fails. */
export class TlsReader {
  private offset = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get left(): number {
    return this.bytes.length - this.offset
  }

  get consumed(): Buffer {
    return this.bytes.subarray(0, this.offset)
  }

  take(count: number): Buffer {
    if (count > this.left) return failTls('short message')
    this.offset += count
    return this.bytes.subarray(this.offset - count, this.offset)
  }

  uint(size: Size): number {
    return this.take(size).readUIntBE(0, size)
  }

  vector(size: Size): Buffer {
    return this.take(this.uint(size))
  }

  end(): void {
    if (this.left > 0) failTls('trailing bytes')
  }
}
