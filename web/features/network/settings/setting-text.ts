import { DEFAULT_ROUTE_NAME, ROUTING_NAME } from '#domain/network/history/setting-words.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import type { Member, NetworkInfo } from '../live-network.ts'
import { DEFAULT_ROUTE_METRICS, POP_MODE, POP_MODE_NAME } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { segmentText } from '#domain/network/addresses/segments.ts'
import { priorityOf } from '#domain/network/routing/routing.ts'

/* Texts of the current values of settings. */

export const gatewayText = (gateway: Member['gateway']): string =>
  gateway === null ? '' : `硬件 ${segmentText(gateway.router)}，软件 ${segmentText(gateway.software)}`

export function poolText({ member }: Pick<NetworkInfo, 'member'>): string {
  const centers = member.filter(({ gateway }) => gateway !== null).length
  return centers === 0 ? '没有中心点' : `${centers} 个中心点，各有硬件和软件两个网段`
}

/** Ports in use; the server assigns a port that nobody has chosen. */
export const portsText = (ports: Member['fixed_port']): string =>
  ports === null ? '' : `硬件 ${ports.router_service.port}，软件 ${ports.software_service.port}`

export const hasFixedPorts = (ports: Member['fixed_port']): boolean =>
  ports !== null && [ports.router_service, ports.software_service].some(({ static_port: port }) => port !== null)

export const PRIORITIES = DEFAULT_ROUTE_METRICS.map((metric) => ({
  value: metric,
  label: `${priorityOf(metric)}`,
}))

export function routingText({ network_routing: { type, main_router, secondary_router }, member }: NetworkInfo): string {
  if (type !== 2) return ROUTING_NAME[1]
  const nameOf = (name: string) => {
    const found = member.find(({ router_name }) => router_name === name)
    return found === undefined ? '—' : memberLabel(found)
  }
  return `${ROUTING_NAME[2]}：主 ${nameOf(main_router)}，备 ${nameOf(secondary_router)}`
}

export function defaultRouteText({ default_route, metric }: Member): string {
  const name = DEFAULT_ROUTE_NAME[default_route] ?? ''
  return metric === null ? name : `${name}，优先级 ${priorityOf(metric)}`
}

type OfPop = Pick<NetworkInfo, 'network_fr'>

/** The POP resource has expired: configurations leave its areas out, settings still show them. */
export const isPopExpired = ({ network_fr: fr }: OfPop): boolean => fr?.expire_day === 0

/** Sentence about an expired POP resource, with the remedy; null before it expires. */
export function popExpiredText(info: OfPop): string | null {
  if (!isPopExpired(info)) return null
  return `POP资源“${info.network_fr?.shortname ?? ''}”已过期：其区域已从设备配置中移除，成员之间只经中心点或点对点链路互通。设置仍保留，联系服务商续期后自动恢复；也可改用其他资源，或重新接入POP。`
}

export function frText({ network_fr: fr, mode }: Pick<NetworkInfo, 'network_fr' | 'mode'>): string {
  if (fr === null) return '未接入'
  const term = fr.expire_day === 0 ? '（已过期）' : ''
  return `${fr.shortname}${term}，${POP_MODE_NAME[mode === POP_MODE.popFirst ? POP_MODE.popFirst : POP_MODE.centerFirst]}`
}

export function areaText({ ov_id: { main_name, backup_name, priority } }: Pick<Member, 'ov_id'>, info: OfPop): string {
  if (main_name === '') return '不使用POP'
  const term = isPopExpired(info) ? '（POP资源已过期，未生效）' : ''
  return `主 ${main_name}${backup_name === '' ? '' : `，备 ${backup_name}`}，优先级 ${priority}${term}`
}

export function quaggaText(members: readonly Member[]): string {
  const hardware = members.filter(({ router_type }) => router_type === ROUTER_TYPE.hardware)
  return `${hardware.filter(({ quagga }) => quagga === 1).length}/${hardware.length} 个成员已开启`
}
