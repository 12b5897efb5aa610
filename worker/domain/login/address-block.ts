/* Blocks of IP addresses: keys of rate limits, and a substitute for an unknown place. */

/**
 * Key of rate limits: an IPv4 address itself, or the /64 of an IPv6 address.
 * One customer owns a whole /64 and could use a new address for each try.
 */
export const addressBlock = (ip: string): string => toBlock(ip, 4)

/** Largest block of one customer: the /48 of an IPv6 address, which holds 65,536 of the above, or the IPv4 address. */
export const wideAddressBlock = (ip: string): string => toBlock(ip, 3)

/** Key of the platform's limits: the IPv4 /24 or the IPv6 /48. A small provider's customer may own either. */
export function limitBlock(ip: string): string {
  const [, left] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(toPlain(ip)) ?? []
  return left === undefined ? wideAddressBlock(ip) : `${left}.0/24`
}

/** Substitute for an unknown place: the IPv4 /16 or the IPv6 /32, which a provider uses in one region. */
export function regionBlock(ip: string): string {
  const [, left] = /^(\d+\.\d+)\.\d+\.\d+$/.exec(toPlain(ip)) ?? []
  return left === undefined ? toBlock(ip, 2) : `${left}.0.0/16`
}

/** The first groups, 16 bits each, of an IPv6 address. */
function toBlock(address: string, count: number): string {
  const ip = toPlain(address)
  if (!ip.includes(':')) return ip
  const [left = [], right = []] = ip.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const gap = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const groups = [...left, ...gap, ...right].slice(0, count)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${count * 16}`
}

/** The IPv4 address in a mapped one (RFC 4291, 2.5.5.2), written with dots or in groups; any other address itself. */
function toPlain(ip: string): string {
  const [, dotted, high, low] = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(ip) ?? []
  if (high === undefined || low === undefined) return dotted ?? ip
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.')
}
