/* Parses the `Range` header of a download. */

/** A part of a file, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * The requested part of a file (RFC 9110, 14). Null: the whole file, also for several parts or an unreadable header.
 * 'beyond': the file has no such bytes.
 */
export function parseRange(header: string | undefined, bytes: number): ByteRange | 'beyond' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const length = Math.min(Number(to), bytes)
    return length === 0 ? 'beyond' : { first: bytes - length, last: bytes - 1 }
  }
  const [first, last] = [Number(from), to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)]
  if (first >= bytes) return 'beyond'
  return last < first ? null : { first, last }
}
