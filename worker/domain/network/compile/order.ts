import { parseSegment } from '../addresses/segments.ts'

/** Code point order: the same in every runtime, whatever its locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Networks of IPv4 segments, each once, by address and length; what is no segment is left out. */
export function sortSegments(segments: readonly string[]): string[] {
  const keyed = [...new Set(segments)].flatMap((segment) => {
    const parsed = parseSegment(segment)
    return parsed ? [{ segment, ...parsed }] : []
  })
  return keyed.toSorted((a, b) => a.ip - b.ip || a.mask - b.mask).map(({ segment }) => segment)
}
