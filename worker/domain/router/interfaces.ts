import { ipNumber, ipText } from '#contract/kernel/ipv4.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { parseRange, toNetwork } from '#domain/network/addresses/segments.ts'

/* Interfaces that a device reported: its LAN and WAN segments, the networks behind it, its WAN address. */

export const parseInterfaces = (json: string | null): InterfaceInfo[] => JSON.parse(json ?? '[]') as InterfaceInfo[]

/** Segments on a device's interfaces of one role that have an IPv4 address, `ip/mask`. */
const toSegments = (interfaces: readonly InterfaceInfo[], role: InterfaceInfo['role']): readonly string[] =>
  interfaces.filter((i) => i.role === role && ipNumber(i.ip) !== null).map((i) => `${i.ip}/${i.mask}`)

/** Reported segments for the rules of membership: behind the device, and towards the carrier. */
export const reportedSegments = (interfaces: readonly InterfaceInfo[]) => ({
  lans: toSegments(interfaces, 'lan'),
  wans: toSegments(interfaces, 'wan'),
})

/** The same from the JSON of `segmentList` (features/router/sql/columns.ts). */
export function parseSegments(json: string): { lans: readonly string[]; wans: readonly string[] } {
  const segments = (JSON.parse(json) as string[]).map((text) => text.split(' '))
  const ofRole = (wanted: InterfaceInfo['role']) =>
    segments.flatMap(([role, segment = '']) => (role === wanted && parseRange(segment) !== null ? [segment] : []))
  return { lans: ofRole('lan'), wans: ofRole('wan') }
}

/** IPv4 address of the interface that carries the default route; empty until the device has reported. */
export const findWanAddress = (interfaces: readonly InterfaceInfo[]): string =>
  interfaces.find((i) => i.role === 'wan' && ipNumber(i.ip) !== null)?.ip ?? ''

/** Segments behind a device as networks, each once: 192.168.9.1/24 is in 192.168.9.0/24. */
export const lanNetworks = (interfaces: readonly InterfaceInfo[]): string[] => toNetworks(toSegments(interfaces, 'lan'))

export const toNetworks = (segments: readonly string[]): string[] => [...new Set(segments.map(toNetwork))]

/** Mask as `255.255.255.0`; empty without an IPv4 address. */
export const subnetMask = ({ ip, mask }: Pick<InterfaceInfo, 'ip' | 'mask'>): string =>
  ipNumber(ip) === null || mask > 32 ? '' : ipText(2 ** 32 - 2 ** (32 - mask))
