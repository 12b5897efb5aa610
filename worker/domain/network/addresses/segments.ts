import { ipNumber, ipText, sizeOfMask } from '#contract/kernel/ipv4.ts'

/* IPv4 segments as text and range, the default subnets of an account, and the next free segment. */

/**
 * Number of subnet indexes in an account, one for each centre. Default subnets come from 100.64.0.0/10 (RFC 6598).
 * Customers' LANs do not use it, but carriers do behind CGNAT, so blocks with a reported address are avoided. An index
 * names two of the 1,024 blocks of /20: hardware, then software.
 */
export const SUBNET_INDEXES = 512

const BLOCK = 2 ** 12 // addresses in a /20
const POOL_FIRST = 0x64400000 // 100.64.0.0
const INDEX_SIZE = 2 * BLOCK

export function defaultSegments(index: number): { hardware: string; software: string } {
  return { hardware: block(index * 2), software: block(index * 2 + 1) }
}

const block = (n: number): string => `${ipText(POOL_FIRST + n * BLOCK)}/20`

/** Indexes with subnets that overlap one of these segments. A new centre must not get them. */
export function reservedSubnetIndexes(segments: readonly string[]): readonly number[] {
  const toIndex = (address: number) => Math.floor((address - POOL_FIRST) / INDEX_SIZE)
  const reserved = new Set<number>()
  for (const segment of segments) {
    const range = parseRange(segment)
    if (!range) continue
    const last = Math.min(toIndex(range.last), SUBNET_INDEXES - 1)
    for (let index = Math.max(toIndex(range.first), 0); index <= last; index++) reserved.add(index)
  }
  return [...reserved].toSorted((a, b) => a - b)
}

export interface Range {
  readonly first: number
  readonly last: number
}

/** `a.b.c.d/n` of a segment in two fields; empty without a gateway. */
export const segmentText = ({ gateway, mask }: { readonly gateway: string; readonly mask: number }): string =>
  gateway === '' ? '' : `${gateway}/${mask}`

/** Address and length of `a.b.c.d/n`; null for other text. Host bits stay. */
function parseSegment(segment: string): { readonly ip: number; readonly mask: number } | null {
  const [address = '', bits = ''] = segment.split('/')
  const ip = ipNumber(address)
  const mask = Number(bits)
  return ip === null || !/^\d{1,2}$/.test(bits) || mask > 32 ? null : { ip, mask }
}

/** First and last address of `a.b.c.d/n`; null for other text. Host bits are masked away. */
export function parseRange(segment: string): Range | null {
  const parsed = parseSegment(segment)
  if (!parsed) return null
  const size = sizeOfMask(parsed.mask)
  const first = Math.floor(parsed.ip / size) * size
  return { first, last: first + size - 1 }
}

/** True for segments of which the outer one contains all addresses of the inner one. */
export function isInside(inner: string, outer: string): boolean {
  const [a, b] = [parseRange(inner), parseRange(outer)]
  return a !== null && b !== null && b.first <= a.first && a.last <= b.last
}

export function hostAddress(segment: string, host: number): string {
  const range = parseRange(segment)
  if (!range) throw new Error(`no segment: ${segment}`)
  return ipText(range.first + host)
}

/** Network of an interface's address: 192.168.9.1/24 → 192.168.9.0/24. */
export function toNetwork(segment: string): string {
  const range = parseRange(segment)
  return range === null ? segment : `${ipText(range.first)}/${segment.split('/')[1]}`
}

/** RFC 1918. Default segments of centres lie in none of them. */
const PRIVATE: readonly Range[] = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].flatMap(
  (segment) => parseRange(segment) ?? [],
)

/** Segments that home routers and containers use by default: software members dial in from behind them. */
const HOME_LANS = ['10.0.0.0/16', '10.10.10.0/24', '172.16.0.0/15', '172.18.0.0/16', '192.168.0.0/16'].flatMap(
  (segment) => parseRange(segment) ?? [],
)

/**
 * The next private segment of the same size that overlaps none of `taken`: in the preferred range, after it in its own
 * range, then before it, then in the other ranges; outside of the preferred one, home LANs come last. Null if none is left.
 */
export function nextFreeSegment(segment: string, taken: readonly string[], preferred = ''): string | null {
  const own = parseRange(segment)
  if (own === null) return null
  const size = own.last - own.first + 1
  const used = [...taken.flatMap((text) => parseRange(text) ?? []), own].toSorted(byFirst)
  const home = PRIVATE.find(({ first, last }) => first <= own.first && own.last <= last)
  const behind = home === undefined ? [] : [{ first: own.last + 1, last: home.last }]
  const ranges = [behind, home ?? [], PRIVATE].flat()
  const first =
    findFree([parseRange(preferred) ?? []].flat(), size, used) ??
    findFree(ranges, size, [...used, ...HOME_LANS].toSorted(byFirst)) ??
    findFree(ranges, size, used)
  return first === null ? null : `${ipText(first)}/${segment.split('/')[1]}`
}

const byFirst = (a: Range, b: Range): number => a.first - b.first

/** First address of the first free block in these ranges. */
function findFree(ranges: readonly Range[], size: number, used: readonly Range[]): number | null {
  for (const range of ranges) {
    const first = firstFree(range, size, used)
    if (first !== null) return first
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

/** Sorts IPv4 segments by address and length, without duplicates and invalid texts. */
export function sortSegments(segments: readonly string[]): string[] {
  const keyed = [...new Set(segments)].flatMap((segment) => {
    const parsed = parseSegment(segment)
    return parsed ? [{ segment, ...parsed }] : []
  })
  return keyed.toSorted((a, b) => a.ip - b.ip || a.mask - b.mask).map(({ segment }) => segment)
}
