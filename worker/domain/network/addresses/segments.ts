import { ipNumber, ipText, sizeOfMask } from '#contract/kernel/ipv4.ts'

/**
 * Default subnets come from 100.64.0.0/10 (RFC 6598), which customers' LANs do not use, but carriers
 * hand out behind CGNAT: blocks with an address that a device reports are avoided. 1,024 blocks of /20, two to a
 * centre (hardware, then software). A centre's subnet index names its two blocks, so there are 512 centres an account.
 */
export const SUBNET_INDEXES = 512

const BLOCK = 2 ** 12 // addresses in a /20
const POOL_FIRST = 0x64400000 // 100.64.0.0
const INDEX_SIZE = 2 * BLOCK

/** The two blocks of a subnet index. */
export function defaultSegments(index: number): { hardware: string; software: string } {
  return { hardware: block(index * 2), software: block(index * 2 + 1) }
}

const block = (n: number): string => `${ipText(POOL_FIRST + n * BLOCK)}/20`

/** Indexes whose subnets would overlap one of these segments: a new centre must not get them. */
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

/** `a.b.c.d/n` of a segment in two fields; empty where there is none. */
export const segmentText = ({ gateway, mask }: { readonly gateway: string; readonly mask: number }): string =>
  gateway === '' ? '' : `${gateway}/${mask}`

/** Address and length of `a.b.c.d/n`, or null where it is no segment. Host bits stay. */
export function parseSegment(segment: string): { readonly ip: number; readonly mask: number } | null {
  const [address = '', bits = ''] = segment.split('/')
  const ip = ipNumber(address)
  const mask = Number(bits)
  return ip === null || !/^\d{1,2}$/.test(bits) || mask > 32 ? null : { ip, mask }
}

/** First and last address of `a.b.c.d/n`, or null where it is no segment. Host bits are masked away. */
export function parseRange(segment: string): Range | null {
  const parsed = parseSegment(segment)
  if (!parsed) return null
  const size = sizeOfMask(parsed.mask)
  const first = Math.floor(parsed.ip / size) * size
  return { first, last: first + size - 1 }
}

/** The n-th address of a segment. */
export function hostAddress(segment: string, host: number): string {
  const range = parseRange(segment)
  if (!range) throw new Error(`no segment: ${segment}`)
  return ipText(range.first + host)
}

/** The network that an interface's address is in: 192.168.9.1/24 → 192.168.9.0/24. */
export function toNetwork(segment: string): string {
  const range = parseRange(segment)
  return range === null ? segment : `${ipText(range.first)}/${segment.split('/')[1]}`
}
