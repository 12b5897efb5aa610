import { ipText } from '#contract/kernel/ipv4.ts'
import { type Range, parseRange } from './segments.ts'

/** RFC 1918. Default segments of centres lie in none of them. */
const PRIVATE: readonly Range[] = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].flatMap(
  (segment) => parseRange(segment) ?? [],
)

/**
 * The next private segment of the same size that overlaps none of `taken`: in the preferred range, behind it in its own
 * range, then before it, then in the other ranges. Null where none is left.
 */
export function nextFreeSegment(segment: string, taken: readonly string[], preferred = ''): string | null {
  const own = parseRange(segment)
  if (own === null) return null
  const size = own.last - own.first + 1
  const used = [...taken.flatMap((text) => parseRange(text) ?? []), own].toSorted((a, b) => a.first - b.first)
  const home = PRIVATE.find(({ first, last }) => first <= own.first && own.last <= last)
  const behind = home === undefined ? [] : [{ first: own.last + 1, last: home.last }]
  const ranges = [parseRange(preferred) ?? [], behind, home ?? [], PRIVATE].flat()
  for (const range of ranges) {
    const first = firstFree(range, size, used)
    if (first !== null) return `${ipText(first)}/${segment.split('/')[1]}`
  }
  return null
}

/** First address of the first free block of that size; `used` by first address. */
function firstFree({ first, last }: Range, size: number, used: readonly Range[]): number | null {
  const align = (address: number) => Math.ceil(address / size) * size
  let start = align(first)
  for (const block of used) {
    if (block.first >= start + size) break
    if (block.last >= start) start = align(block.last + 1)
  }
  return start + size - 1 <= last ? start : null
}
