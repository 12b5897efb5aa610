/* Blocks of IP addresses: keys of rate limits, and a substitute for an unknown place. */

/**
 * Key of rate limits: an IPv4 address itself, or the /64 of an IPv6 address.
 * One customer owns a whole /64 and could use a new address for each try.
 */
export const addressBlock = (ip: string): string => toBlock(ip, 4)

/** Largest block of one customer: the /48 of an IPv6 address, which holds 65,536 of the above, or the IPv4 address. */
export const wideAddressBlock = (ip: string): string => toBlock(ip, 3)

/** Substitute for an unknown place: the IPv4 /16 or the IPv6 /32, which a provider uses in one region. */
export function regionBlock(ip: string): string {
  const [, left] = /^(?:::ffff:)?(\d+\.\d+)\.\d+\.\d+$/i.exec(ip) ?? []
  return left === undefined ? toBlock(ip, 2) : `${left}.0.0/16`
}

/** The first groups, 16 bits each, of an IPv6 address. */
function toBlock(ip: string, count: number): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip) ?? []
  if (mapped !== undefined || !ip.includes(':')) return mapped ?? ip
  const [left = [], right = []] = ip.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const gap = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const groups = [...left, ...gap, ...right].slice(0, count)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${count * 16}`
}
