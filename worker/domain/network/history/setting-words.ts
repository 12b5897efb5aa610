import { POP_MODE_NAME } from '#contract/network/limits.ts'
import type { ServicePorts } from '#contract/network/fields.ts'
import type { MemberSettings, NetworkSettings } from '#contract/network/settings.ts'
import { CIPHERS_NAME, type Ciphers } from '#contract/network/networks.ts'
import type { PointLink } from '../members/pair-links.ts'
import { segmentText } from '../addresses/segments.ts'
import { priorityOf } from '../routing/routing.ts'

/** Words for a network's settings and their changes, for pages and for the history. */

export const ROUTING_NAME = { 1: '双主负载均衡', 2: '主备路由' } as const
export const DEFAULT_ROUTE_NAME = ['关闭', '通告', '接收'] as const
export const SOFTWARE_MODE_NAME: Readonly<Record<number, string>> = { 1: '默认', 2: '优先中心点', 3: '优先POP' }
const popModes: Readonly<Record<number, string>> = POP_MODE_NAME

export interface ShownSettings extends NetworkSettings, MemberSettings {
  readonly name: string
  readonly ciphers: Ciphers
  readonly fr: { readonly mode: number; readonly frId: number | null }
  readonly point_links: readonly PointLink[]
}
export type ShownSetting = Exclude<keyof ShownSettings, 'point_link'>

export const SETTING_TITLE: Readonly<Record<ShownSetting, string>> = {
  name: '组网名称',
  ciphers: '加密算法',
  fr: 'POP资源',
  center_link: '双中心点互通',
  routing: '路由方式',
  prefix: '网络号',
  dns: 'DNS',
  ip_pool: 'IP地址池',
  point_links: '点对点互联',
  gateway: '网段',
  pool: '地址段',
  fixed_port: '固定端口',
  default_route: '默认路由',
  quagga: '动态路由',
  ov: 'POP区域',
  software_mode: '拨号方式',
}

export interface WordNames {
  readonly member: (routerId: number) => string
  readonly area: (id: number) => string
}

const NONE = '未设置'
type Segment = { readonly gateway: string; readonly mask: number } | null

const onOff = (enable: 0 | 1): string => (enable === 1 ? '开启' : '关闭')
const segmentOrDefault = (segment: Segment): string => (segment && segmentText(segment)) || '默认'
const portText = (ports: ServicePorts): string =>
  ports.static_port === null
    ? '默认'
    : `${ports.static_port}${ports.public_ip === null ? '' : `（公网 ${ports.public_ip}:${ports.public_port ?? ''}）`}`
const poolEnds = (ends: { readonly start: string; readonly end: string } | null): string =>
  ends === null ? '全部' : `${ends.start}-${ends.end}`

/** Words of each value. Lists are shown by their items (ITEMS). */
const WORDS: {
  readonly [K in Exclude<ShownSetting, ListSetting>]: (value: ShownSettings[K], names: WordNames) => string
} = {
  name: (name) => name,
  ciphers: (value) => CIPHERS_NAME[value],
  fr: ({ mode, frId }) => (frId === null ? NONE : (popModes[mode] ?? '')),
  center_link: (link, names) =>
    link.enable === 0
      ? '关闭'
      : `开启，服务端 ${link.server === null ? '—' : names.member(link.server)}，网段 ${segmentOrDefault(link)}，端口 ${portText(link.ports)}`,
  routing: ({ type, main, secondary }, names) =>
    type === 1
      ? ROUTING_NAME[1]
      : `${ROUTING_NAME[2]}，主 ${main === null ? '—' : names.member(main)}，备 ${secondary === null ? '—' : names.member(secondary)}`,
  ip_pool: (pool) => {
    const parts = [
      pool.gateway === '' ? '' : `地址范围 ${segmentText(pool)}`,
      pool.pop === null ? '' : `POP硬件 ${segmentOrDefault(pool.pop)}`,
      pool.pop_software === null ? '' : `POP软件 ${segmentOrDefault(pool.pop_software)}`,
    ]
    return parts.filter((part) => part !== '').join('，') || NONE
  },
  gateway: ({ router, software }) => `硬件 ${segmentOrDefault(router)}，软件 ${segmentOrDefault(software)}`,
  pool: ({ router, software }) => `硬件 ${poolEnds(router)}，软件 ${poolEnds(software)}`,
  fixed_port: ({ router_service, software_service }) =>
    `硬件 ${portText(router_service)}，软件 ${portText(software_service)}`,
  default_route: ({ mode, metric }) =>
    `${DEFAULT_ROUTE_NAME[mode]}${metric === null ? '' : `，优先级 ${priorityOf(metric)}`}`,
  quagga: ({ enable }) => onOff(enable),
  ov: ({ main, backup, priority }, names) =>
    main === null && backup === null
      ? NONE
      : `主 ${main === null ? '—' : names.area(main)}，备 ${backup === null ? '—' : names.area(backup)}，优先级 ${priority}`,
  software_mode: ({ mode }) => SOFTWARE_MODE_NAME[mode] ?? '',
}

type ListSetting = 'dns' | 'prefix' | 'point_links'

const ITEMS: { readonly [K in ListSetting]: (value: ShownSettings[K], names: WordNames) => readonly string[] } = {
  dns: (list) => list,
  prefix: (rows) =>
    rows.map(
      ({ ip, mask, permission, ge, le }) =>
        `${permission === 'permit' ? '' : '拒绝 '}${ip}/${mask}${ge === null ? '' : ` ge ${ge}`}${le === 32 ? '' : ` le ${le}`}`,
    ),
  point_links: (links, names) =>
    links.map(
      ({ serverId, clientId, port, ...link }) =>
        `${names.member(serverId)} ↔ ${names.member(clientId)} ${segmentText(link)} 端口 ${port}`,
    ),
}

const ITEMS_SHOWN = 5

const listText = (items: readonly string[]): string =>
  items.length === 0
    ? NONE
    : `${items.slice(0, ITEMS_SHOWN).join('、')}${items.length > ITEMS_SHOWN ? ` 等 ${items.length} 条` : ''}`

const isList = (setting: ShownSetting): setting is ListSetting => setting in ITEMS

/** Old and new value in words. Lists show removed and added items; if only the order changed, the number of items. */
export function changeWords<K extends ShownSetting>(
  setting: K,
  before: ShownSettings[K],
  after: ShownSettings[K],
  names: WordNames,
): { readonly old: string; readonly new: string } {
  if (!isList(setting)) {
    const words = WORDS[setting as Exclude<K, ListSetting>] as (value: unknown, names: WordNames) => string
    return { old: words(before, names), new: words(after, names) }
  }
  const items = ITEMS[setting] as (value: unknown, names: WordNames) => readonly string[]
  const [old, now] = [items(before, names), items(after, names)]
  const [gone, come] = [old.filter((item) => !now.includes(item)), now.filter((item) => !old.includes(item))]
  if (gone.length + come.length === 0) return { old: `${old.length} 条`, new: `${now.length} 条，顺序已调整` }
  if (old.length <= ITEMS_SHOWN && now.length <= ITEMS_SHOWN) return { old: listText(old), new: listText(now) }
  return {
    old: gone.length === 0 ? `${old.length} 条` : `移除 ${listText(gone)}`,
    new: come.length === 0 ? `${now.length} 条` : `新增 ${listText(come)}`,
  }
}
