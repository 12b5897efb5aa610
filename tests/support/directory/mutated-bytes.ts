import { DirectoryError } from '#outside/tls/failure.ts'

/** Bytes of lengths, tags and ends of ranges are likelier than others. */
const TELLING = [0, 1, 4, 0x30, 0x7f, 0x80, 0x81, 0x84, 0xa0, 0xff]

/** One to four changes: a byte, a piece left out, repeated or put in. */
export function mutate(bytes: Buffer, random: (below: number) => number): Buffer<ArrayBuffer> {
  let changed = Buffer.from(bytes)
  for (let left = 1 + random(4); left > 0; left--) {
    const at = random(changed.length + 1)
    const piece = changed.subarray(at, at + random(12))
    const kind = random(5)
    const [before, after] = [changed.subarray(0, at), changed.subarray(at)]
    if (kind === 0)
      changed = Buffer.concat([before, Buffer.from([TELLING[random(TELLING.length)] ?? 0]), after.subarray(1)])
    else if (kind === 1) changed = Buffer.concat([before, Buffer.from([random(256)]), after.subarray(1)])
    else if (kind === 2) changed = Buffer.concat([before, after.subarray(piece.length)])
    else if (kind === 3) changed = Buffer.concat([before, piece, after])
    else changed = Buffer.from(changed.subarray(0, at))
  }
  return changed
}

/** Up to 199 random bytes. */
export const noise = (random: (below: number) => number): Buffer<ArrayBuffer> =>
  Buffer.from(
    Array.from({ length: random(200) }, () => (random(3) === 0 ? (TELLING[random(TELLING.length)] ?? 0) : random(256))),
  )

/** Null for an answer; whatever is thrown must be ours. */
export function reasonOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof DirectoryError) return error.reason
    throw new Error('not a reason of ours', { cause: error })
  }
}
