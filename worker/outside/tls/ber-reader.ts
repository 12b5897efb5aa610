/* Reader of BER and DER (X.690), for replies of LDAP and for certificates. */

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  enumerated: 0x0a,
  sequence: 0x30,
  set: 0x31,
} as const

const LENGTH_BYTES_MAX = 4

/** Error of bytes that are not BER of the expected form. */
export class BerError extends Error {
  override readonly name = 'BerError'
}

/**
 * Strict reader: a length beyond the end of the outer element fails. The reader of ldapts reads past the end of an inner
 * element, where a crafted entry keeps it in an endless loop.
 */
export class BerReader {
  private offset: number
  private readonly end: number
  private readonly bytes: Buffer

  constructor(bytes: Buffer, offset = 0, end = bytes.length) {
    this.bytes = bytes
    this.offset = offset
    this.end = end
  }

  get isAtEnd(): boolean {
    return this.offset === this.end
  }

  get tag(): number | undefined {
    return this.offset < this.end ? this.bytes[this.offset] : undefined
  }

  /** Reads the next element, which must have this tag. */
  element(tag: number): BerReader {
    const start = this.enter(tag)
    return new BerReader(this.bytes, start, this.offset)
  }

  /** Reads all elements that are left. */
  all<T>(read: (reader: this) => T): T[] {
    const found: T[] = []
    while (!this.isAtEnd) found.push(read(this))
    return found
  }

  octets(tag: number = TAG.octetString): Buffer {
    const start = this.enter(tag)
    return this.bytes.subarray(start, this.offset)
  }

  text(tag: number = TAG.octetString): string {
    const start = this.enter(tag)
    return this.bytes.toString('utf8', start, this.offset)
  }

  integer(tag: number = TAG.integer): number {
    const start = this.enter(tag)
    const size = this.offset - start
    return size >= 1 && size <= 6 ? this.bytes.readIntBE(start, size) : malformed('integer')
  }

  skip(): void {
    this.enter(this.tag ?? malformed('end'))
  }

  /** Steps over the element and returns the start of its contents. */
  private enter(tag: number): number {
    if (this.tag !== tag) return malformed(`tag ${this.tag ?? 'none'} instead of ${tag}`)
    const header = readHeader(this.bytes, this.offset, this.end)
    if (header === null || header.start + header.length > this.end) return malformed('length')
    this.offset = header.start + header.length
    return header.start
  }
}

/** Reads an element's header: offset and length of its contents, or null while the header is incomplete. */
export function readHeader(bytes: Buffer, offset: number, end: number): { start: number; length: number } | null {
  if (offset + 2 > end) return null
  const first = bytes[offset + 1] ?? 0
  const start = offset + 2
  if (first < 0x80) return { start, length: first }
  const size = first & 0x7f
  if (size === 0 || size > LENGTH_BYTES_MAX) return malformed('form of a length')
  return start + size > end ? null : { start: start + size, length: bytes.readUIntBE(start, size) }
}

function malformed(detail: string): never {
  throw new BerError(detail)
}
