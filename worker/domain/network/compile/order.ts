import { ipNumber } from '../../../contract/ipv4.ts'
import { parseRange } from '../segments.ts'

/** Code point order: the same in every runtime, whatever its locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Networks of IPv4 segments, each once, by address and length; what is no segment is left out. */
export function sortSegments(segments: readonly string[]): string[] {
  const sound = [...new Set(segments)].filter((segment) => parseRange(segment) !== null)
  const toKey = (segment: string) => {
    const [ip = '', mask = ''] = segment.split('/')
    return [ipNumber(ip) ?? 0, Number(mask)] as const
  }
  return sound.toSorted((a, b) => {
    const [[ipA, maskA], [ipB, maskB]] = [toKey(a), toKey(b)]
    return ipA - ipB || maskA - maskB
  })
}
