import type { NetworkHealth } from '#contract/kernel/health.ts'
import { CONFIG_WORD, NOT_APPLIED_WORD, PRESENCE_WORD } from '#contract/kernel/states.ts'
import { NETWORK, NETWORK_STATUS, NETWORK_TYPE } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { countOpened } from '#domain/health/link.ts'
import { MEMBER_STATES, type StateCount } from '#domain/health/member.ts'
import { timeText } from '#lib/format/format-time.ts'
import { linksText } from '#lib/format/links-text.ts'
import { paths } from '#lib/paths.ts'
import type { NetworkInfo } from './live-network.ts'

/* Texts about networks: names of codes, banners, suspension, quota, counts of members and facts of the health. */

export const MEMBER_SEARCH_LABEL = '搜索备注、序列号或账号'

/** Names of the codes on the wire (network 2, 3). */
export const typeName = (networkType: number): string =>
  networkType === NETWORK_TYPE.hub ? '中心组网' : networkType === NETWORK_TYPE.pointToPoint ? '点对点组网' : 'POP组网'

export const levelName = (level: number): string => (level === 1 ? '基础版' : '标准版')

export const statusName = (status: number): string => (status === NETWORK_STATUS.normal ? '有效' : '已停用')

export const routerTypeName = (routerType: number): string =>
  routerType === ROUTER_TYPE.software ? '软件成员' : '硬件成员'

export type MemberRole = 'center' | 'point'
export const toRole = ({ member_type, router_type }: { member_type: MemberRole; router_type: 1 | 2 }) => ({
  memberType: member_type,
  routerType: router_type,
})

export type Seats = Pick<NetworkInfo['network_config'], 'network_router_use' | 'network_router_count'>

/** Banner of a suspended network, with the number of members over quota (network 2); null while it is in use. */
export function overQuotaText(networkStatus: number, quota: Seats): string | null {
  if (networkStatus === NETWORK_STATUS.normal) return null
  const tooMany = quota.network_router_use - quota.network_router_count
  const head = '成员配额不足，组网已停用。续费或移除多余成员后恢复使用。'
  return tooMany > 0 ? `${head}当前超出 ${tooMany} 个成员。` : head
}

const withdrawnAt = (suspendedAt: number): number => suspendedAt + NETWORK.suspensionDays * 86_400_000

/** Start of a suspension, and its consequence when it lasts; empty while the network is in use. */
export function suspensionText(suspendedAt: number | null, now: number): string {
  if (suspendedAt === null) return ''
  const [since, endsAt] = [`自 ${timeText(suspendedAt)} 起停用`, withdrawnAt(suspendedAt)]
  return endsAt > now
    ? `${since}；若未恢复，满 ${NETWORK.suspensionDays} 天后（${timeText(endsAt)}）将移除设备上的该组网配置，成员之间不再互通。`
    : `${since}，已满 ${NETWORK.suspensionDays} 天，设备上的该组网配置已移除；恢复使用后自动重新下发。`
}

const OVERLAPS_NAMED = 3

/** Segments that overlap since devices reported new ones. */
export function overlapText(overlaps: NetworkInfo['overlaps']): string | null {
  if (overlaps.length === 0) return null
  const named = overlaps.slice(0, OVERLAPS_NAMED).map(({ a, segment_a, b, segment_b }) => {
    const other = segment_b === '' ? b : `${b}（${segment_b}）` // empty if the role may not see the owner
    return `${a}（${segment_a}）与${other}`
  })
  const count = overlaps.length === 1 ? '' : ` ${overlaps.length} 处`
  const rest = overlaps.length > named.length ? '等' : ''
  return `网段重叠${count}：${named.join('；')}${rest}。重叠的地址之间无法互通，请修改其中一方的网段。`
}

/** Members whose page the banner links to, also in another network; owners that the role may not see are left out. */
export function overlapOwners(overlaps: NetworkInfo['overlaps']): readonly { router: string; label: string }[] {
  const owners = overlaps
    .slice(0, OVERLAPS_NAMED)
    .flatMap(({ a, b, routers }) => routers.map((router, i) => ({ router, label: i === 0 ? a : b })))
  return owners.filter(({ router }, i) => owners.findIndex((owner) => owner.router === router) === i)
}

/** Reason why no member can be added, with the remedy; null while there are seats. */
export function seatsText(quota: Seats): string | null {
  const { network_router_use: used, network_router_count: seats } = quota
  if (seats === 0) return '尚未开通组网成员席位，请联系服务商开通'
  return used < seats ? null : `席位已用完（${used}/${seats}），请移除不用的成员，或联系服务商扩容`
}

/** Request to the provider for the seats that `seatsText` misses. */
export const seatsRequest = ({ network_router_count: seats }: Pick<Seats, 'network_router_count'>): string =>
  paths.requestService(seats === 0 ? 'service' : 'seats')

/**
 * 在线 35 · 抖动 1 · 离线 2 (online, flapping, offline): empty states but 在线 are left out, and 在线, too, beside 重连中;
 * no line break before a number.
 */
export const membersText = (count: StateCount): string =>
  MEMBER_STATES.filter((state) => (state === 'online' && count.reconnecting === 0) || count[state] > 0)
    .map((state) => `${PRESENCE_WORD[state]}\u00a0${count[state]}`)
    .join(' · ')

/** Numbers next to the health in the header: 中心点 2/2, 链路 64/66, 配置 40/40 已生效. */
export function healthFacts({ centers, links, config }: NetworkHealth): readonly string[] {
  const opened = countOpened(links)
  const applied =
    config.applied === 0
      ? `${NOT_APPLIED_WORD} ${config.total}`
      : `${config.applied}/${config.total} ${CONFIG_WORD.applied}`
  return [
    ...(centers.total === 0 ? [] : [`中心点 ${centers.up}/${centers.total}`]),
    ...(opened.total + links.never === 0 ? [] : [`链路 ${linksText({ ...opened, never: links.never })}`]),
    ...(config.total === 0 ? [] : [`配置 ${applied}`]),
  ]
}
