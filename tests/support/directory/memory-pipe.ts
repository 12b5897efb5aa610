import type { Pipe } from '#outside/tls/pipe.ts'

export interface MemoryPipe extends Pipe {
  /** All written bytes, joined. */
  readonly written: Buffer
  readonly isClosed: boolean
}

/** A pipe to a server that answers each write with these bytes, or null to hang up; silent where it answers nothing. */
export function createMemoryPipe(
  answer: (written: Buffer) => readonly (Uint8Array | null)[] | Promise<readonly (Uint8Array | null)[]>,
): MemoryPipe {
  const written: Buffer[] = []
  const queue: (Uint8Array | null)[] = []
  const waiting: ((bytes: Uint8Array | null) => void)[] = []
  let isClosed = false
  const deliver = (bytes: Uint8Array | null) => {
    const reader = waiting.shift()
    if (reader) reader(bytes)
    else queue.push(bytes)
  }
  return {
    get written() {
      return Buffer.concat(written)
    },
    get isClosed() {
      return isClosed
    },
    read: () => {
      const next = queue.shift()
      if (next !== undefined) return Promise.resolve(next)
      return isClosed ? Promise.resolve(null) : new Promise((resolve) => waiting.push(resolve))
    },
    async write(bytes) {
      if (isClosed) throw new Error('closed')
      written.push(Buffer.from(bytes))
      for (const part of await answer(Buffer.from(bytes))) deliver(part)
    },
    close() {
      isClosed = true
      deliver(null)
    },
  }
}
