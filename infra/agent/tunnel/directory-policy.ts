import { BlockList, isIP } from 'node:net'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { DIRECTORY_PORTS } from '#contract/ldap/limits.ts'

/* Policy for tunnels to directories: ports and addresses that a device may dial. */

/** Private addresses (RFC 1918, RFC 4193). */
const PRIVATE = toBlockList([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
])

/** Addresses that are never allowed: this host, this link, multicast, reserved; and IPv4 mapped into IPv6. */
const NEVER = toBlockList([
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
])
const MAPPED = /^::ffff:/i

function toBlockList(subnets: readonly (readonly [address: string, prefix: number])[]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, familyOf(address))
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** `host:port` in the form of `--directory`. */
export const toTarget = (host: string, port: number): string => `${host.toLowerCase()}:${port}`

/** Targets that a tunnel may reach: a compromised service must not scan the networks of its routers. */
export interface DirectoryPolicy {
  /** Targets of `--directory`: allowed at any address. */
  readonly targets: ReadonlySet<string>
  readonly lans: readonly Pick<InterfaceInfo, 'ip' | 'mask'>[]
}

/** True if a request may name that port; names are not resolved for other ports. */
export const isPortAllowed = ({ targets }: DirectoryPolicy, host: string, port: number): boolean =>
  DIRECTORY_PORTS.includes(port) || targets.has(toTarget(host, port))

/** True if the device may dial an address that `host` resolved to. */
export function isAddressAllowed(
  { targets, lans }: DirectoryPolicy,
  host: string,
  port: number,
  address: string,
): boolean {
  if (targets.has(toTarget(host, port))) return true
  if (isIP(address) === 0 || MAPPED.test(address) || NEVER.check(address, familyOf(address))) return false
  return (
    PRIVATE.check(address, familyOf(address)) ||
    toBlockList(lans.map(({ ip, mask }) => [ip, mask])).check(address, familyOf(address))
  )
}
