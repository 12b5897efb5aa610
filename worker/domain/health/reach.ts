import { ipNumber } from '#contract/kernel/ipv4.ts'
import type { ServicePorts } from '#contract/network/fields.ts'
import { SETTING_TITLE } from '#domain/network/history/setting-words.ts'
import type { LinkKind } from '#domain/network/members/links.ts'

/* Reason for which the server of a tunnelled link cannot be dialled, and the next step. */

/** Addresses of a device that runs tunnels. */
export interface TunnelDevice {
  /** Address that the service sees; empty if unknown. */
  readonly seenAt: string
  /** Address of its WAN interface; empty without IPv4. */
  readonly wan: string
}

/** Chosen public address of a server; null for a part that is not chosen. */
export type PublicAddress = Pick<ServicePorts, 'public_ip' | 'public_port'>

/** Setting with the public address of a server. The other kinds have none. */
const SETTING: { readonly [K in LinkKind]?: string } = {
  access: SETTING_TITLE.fixed_port,
  center: SETTING_TITLE.center_link,
}

/**
 * Sentence for a server at an IPv6 address, because tunnels are IPv4, or behind NAT without a port that is forwarded. Null
 * if nothing speaks against dialling it. @param name of the server in the sentence.
 */
export function unreachableText(
  name: string,
  kind: LinkKind,
  { seenAt, wan }: TunnelDevice,
  { public_ip: ip, public_port: port }: PublicAddress,
): string | null {
  const setting = SETTING[kind]
  if (isIpv6(ip ?? seenAt)) return `${name}只在IPv6地址上可见，${IPV4_NEEDED}：${ipv6Step(kind, setting)}`
  const isForwarded = ip !== null || port !== null
  if (isForwarded || wan === '' || seenAt === '' || wan === seenAt) return null
  return `${name}在NAT之后，没有固定端口：${natStep(kind, setting)}`
}

/**
 * The same for a link that both ends dial: null if one of them can be dialled. @param ends with their names.
 */
export function unreachablePairText(...ends: readonly (TunnelDevice & { readonly name: string })[]): string | null {
  const texts = ends.map(({ name, ...device }) => unreachableText(name, 'point', device, NOT_PUBLISHED))
  if (texts.some((text) => text === null)) return null
  return texts.find((text) => text?.includes(IPV4_NEEDED)) ?? TWO_NATS
}

export const NOT_PUBLISHED: PublicAddress = { public_ip: null, public_port: null }
const IPV4_NEEDED = '隧道需要IPv4'
const TWO_NATS = '两端均在NAT之后：请在任一端的上级路由器映射该互联的UDP端口'

const isIpv6 = (address: string): boolean => address.includes(':') && ipNumber(address) === null

const POP_STEP = '请联系服务商'

function ipv6Step(kind: LinkKind, setting: string | undefined): string {
  if (setting !== undefined) return `请在“${setting}”中填写公网IPv4地址和端口`
  return kind === 'pop' ? POP_STEP : '请为该设备接入IPv4线路'
}

function natStep(kind: LinkKind, setting: string | undefined): string {
  if (setting !== undefined) return `请在上级路由器映射UDP端口，并在“${setting}”中填写`
  return kind === 'pop' ? POP_STEP : '请在上级路由器映射该互联的UDP端口'
}
