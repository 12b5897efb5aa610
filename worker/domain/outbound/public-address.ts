import { ipNumber } from '#contract/kernel/ipv4.ts'

/* Tests whether a host name or an IP address is public, so that the server may call it. */

/** Top-level names that are never public (RFC 6761, 6762, 7686, 8375, 9476; ICANN on .internal), or only ever private. */
const PRIVATE_TOP_LEVEL = new Set([
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'mail',
  'onion',
  'private',
  'test',
])

/**
 * A lower-case ASCII name of the public DNS: two labels or more, no trailing dot, a top level of letters. That leaves out
 * every spelling of an IP address: WHATWG URLs and inet_aton read a host as one only when its last label is a number.
 */
export function isPublicHostName(host: string): boolean {
  const labels = host.split('.')
  const top = labels.at(-1) ?? ''
  return (
    host.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) &&
    /^([a-z]{2,63}|xn--[a-z0-9-]+)$/.test(top) &&
    !PRIVATE_TOP_LEVEL.has(top)
  )
}

/**
 * IP addresses that do not belong to the public internet. Sources: IANA special-purpose address registries (RFC 6890
 * and updates), RFC 4291, RFC 6052 (NAT64), RFC 3056 (6to4), RFC 4380 (Teredo).
 */
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, metadata services
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 3], // multicast, reserved, broadcast
]

/** Parts of 2000::/3, the only global unicast space, that are not public unicast addresses. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // protocol assignments, Teredo, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4 carries an IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
]

/** True for an address of the public internet, written the one canonical way of its family; false for everything else. */
export function isPublicAddress(text: string): boolean {
  const ipv4 = parseIpv4(text)
  if (ipv4 !== null) return !SPECIAL_IPV4.some(([network, prefix]) => isWithin(ipv4, parseIpv4(network), prefix, 32))
  const ipv6 = parseIpv6(text)
  return (
    ipv6 !== null &&
    isWithin(ipv6, parseIpv6('2000::'), 3, 128) &&
    !SPECIAL_IPV6.some(([network, prefix]) => isWithin(ipv6, parseIpv6(network), prefix, 128))
  )
}

/** True if an address is in a range `address/bits` of its own family, or is that address. */
export function isInRange(text: string, range: string): boolean {
  const [network = '', bits] = range.split('/')
  const [ipv4, start4] = [parseIpv4(text), parseIpv4(network)]
  if (ipv4 !== null && start4 !== null) return isWithin(ipv4, start4, Number(bits ?? 32), 32)
  const [ipv6, start6] = [parseIpv6(text), parseIpv6(network)]
  return ipv4 === null && start4 === null && ipv6 !== null && isWithin(ipv6, start6, Number(bits ?? 128), 128)
}

/** True for a range `address/bits`, or an address. */
export function isRange(text: string): boolean {
  const [, network = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (parseIpv4(network) !== null) return Number(bits) <= 32
  return parseIpv6(network) !== null && Number(bits) <= 128
}

function isWithin(address: bigint, network: bigint | null, prefix: number, bits: number): boolean {
  return network !== null && address >> BigInt(bits - prefix) === network >> BigInt(bits - prefix)
}

/** True for two spellings of one address. */
export function isSameAddress(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => parseIpv4(text) ?? parseIpv6(text))
  return left !== null && left === right && a.includes(':') === b.includes(':')
}

function parseIpv4(text: string): bigint | null {
  const value = ipNumber(text)
  return value === null ? null : BigInt(value)
}

/** RFC 4291 text, also with a dotted end; no zone, no brackets. */
function parseIpv6(text: string): bigint | null {
  const [, head = text, dotted] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? []
  const ipv4 = dotted === undefined ? null : parseIpv4(dotted)
  if (dotted !== undefined && ipv4 === null) return null
  const tail = ipv4 === null ? '' : `${(ipv4 >> 16n).toString(16)}:${(ipv4 & 0xffffn).toString(16)}`
  const halves = `${head}${tail}`.split('::')
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return null
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}
