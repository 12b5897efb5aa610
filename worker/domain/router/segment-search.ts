/* Search for members by a segment behind them. */

interface SegmentSearch {
  /** Part of an address. */
  readonly text: string
  /** The address begins with it. */
  readonly isStart: boolean
}

/**
 * Part of an address that a typed text searches for: `10.1.0.0/24` finds `10.1.0.1`, which begins with `10.1.`. Null for a
 * text that is no address.
 */
export function segmentSearch(typed: string): SegmentSearch | null {
  if (!/^\d{1,3}(\.\d{0,3}){1,3}(\/\d{0,2})?$/.test(typed)) return null
  const [address = ''] = typed.split('/')
  const isStart = /(\.\d+){3}$/.test(address)
  return { text: isStart ? address.replace(/(\.0)+$/, '.') : address, isStart }
}
