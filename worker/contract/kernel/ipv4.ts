/* IPv4 arithmetic that forms, rules, compiler and agent share. A segment is `a.b.c.d/n`. */

export function ipText(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`
}

const OCTET = String.raw`(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const DOTTED = new RegExp(`^${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}$`)

/** 32-bit number of a dotted IPv4, or null. Leading zeros are refused, because some programs read them as octal. */
export function ipNumber(text: string): number | null {
  const [, a, b, c, d] = DOTTED.exec(text) ?? []
  return a === undefined ? null : ((Number(a) * 256 + Number(b)) * 256 + Number(c)) * 256 + Number(d)
}

const FIRST_OCTET = 2 ** 24

/** An IPv4 address whose first octet is not 0 (network 5). */
export function isAddress(text: string): boolean {
  const value = ipNumber(text)
  return value !== null && value >= FIRST_OCTET
}

const LOOPBACK = 127
const MULTICAST_FIRST = 224

/** True for an address of a host or segment: not loopback, multicast or reserved. */
export const isUnicast = (text: string): boolean => {
  const first = Math.floor((ipNumber(text) ?? 0) / FIRST_OCTET)
  return first > 0 && first < MULTICAST_FIRST && first !== LOOPBACK
}

/** Loopback, link-local and multicast addresses, which no router forwards. */
const UNROUTED: readonly (readonly [ip: string, mask: number])[] = [
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
]

/** True for a prefix with at least one address that routers forward. */
export const isRouted = (ip: string, mask: number): boolean =>
  !UNROUTED.some(([block, length]) => mask >= length && alignAddress(ip, length) === block)

/** Number of addresses in a mask of this length. */
export const sizeOfMask = (mask: number): number => 2 ** (32 - mask)

/** The network number at or below an address: 10.1.2.3 of mask 16 → 10.1.0.0. Text that is no address stays. */
export function alignAddress(ip: string, mask: number): string {
  const value = ipNumber(ip)
  const size = sizeOfMask(mask)
  return value === null ? ip : ipText(Math.floor(value / size) * size)
}

/** True if the address is a network number for the mask. Otherwise the refusal is "wrong segment" (网段格式设置错误). */
export const isAligned = (ip: string, mask: number): boolean => alignAddress(ip, mask) === ip
