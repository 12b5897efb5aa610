/** Byte stream to a directory: a TCP socket, a router's tunnel, or TLS over one of them. `read` returns null at the end. */
export interface Pipe {
  read(): Promise<Uint8Array | null>
  write(bytes: Uint8Array): Promise<void>
  close(reason?: string): void
}

/** Opens a connection to the directory; throws a DirectoryError. */
export type Dial = (target: { readonly host: string; readonly port: number }) => Promise<Pipe>

/** Queue of received bytes. It joins chunks only for a whole record or message. */
export class ByteQueue {
  private chunks: Buffer[] = []
  private size = 0

  get length(): number {
    return this.size
  }

  push(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return
    this.chunks.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    this.size += bytes.byteLength
  }

  /** Next `count` bytes, which stay in the queue. The queue must have so many. */
  peek(count: number): Buffer {
    return this.front(count).subarray(0, count)
  }

  take(count: number): Buffer {
    const front = this.front(count)
    this.size -= count
    if (front.length === count) this.chunks.shift()
    else this.chunks[0] = front.subarray(count)
    return front.subarray(0, count)
  }

  /** First chunk, joined to at least `count` bytes. */
  private front(count: number): Buffer {
    if (count > this.size) throw new RangeError(`${count} bytes of ${this.size}`)
    const [first = Buffer.alloc(0)] = this.chunks
    if (first.length >= count) return first
    const joined = Buffer.concat(this.chunks)
    this.chunks = [joined]
    return joined
  }
}
