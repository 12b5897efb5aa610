import type { InterfaceInfo } from '../../contract/protocol.ts'
import { ipNumber } from '../network/segments.ts'

/** A row's interfaces, as the device's hub stored them. */
export const parseInterfaces = (json: string | null): InterfaceInfo[] => JSON.parse(json ?? '[]') as InterfaceInfo[]

/** Segments behind a device, `ip/mask`: its LAN interfaces with an IPv4 address. */
export const toLans = (interfaces: readonly InterfaceInfo[]): readonly string[] =>
  interfaces.filter((i) => i.role === 'lan' && ipNumber(i.ip) !== null).map((i) => `${i.ip}/${i.mask}`)

/** IPv4 address of the interface that carries the default route; empty until the device has reported. */
export const findWanAddress = (interfaces: readonly InterfaceInfo[]): string =>
  interfaces.find((i) => i.role === 'wan' && ipNumber(i.ip) !== null)?.ip ?? ''
