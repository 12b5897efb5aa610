import { SYSTEM_NAME } from '#contract/client/systems.ts'
import { MEMBER_ROLE_NAME } from '#contract/network/limits.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { InterfaceInfo, PresenceView } from '#contract/kernel/protocol.ts'
import type { routerApi } from '#contract/router/index.ts'
import { timeText } from '#lib/format/format-time.ts'

/* Texts about members: names of codes, client, address, phone, order of interfaces, reasons without samples. */

export type RouterRow = Output<typeof routerApi.lists>[number]
export type RouterInfo = Output<typeof routerApi.info>
export type RouterInterface = RouterInfo['interfaces'][number]

export const NO_NETWORK = '尚未加入任何组网'

/** Names of the codes on the wire (network 3). */
export const SOURCE_NAME: Readonly<Record<RouterRow['source'], string>> = {
  manual: '手动添加',
  batch: '批量导入',
  ldap: '目录同步',
}
export const sourceText = ({ source }: Pick<RouterRow, 'source'>): string =>
  source === 'ldap' ? `${SOURCE_NAME[source]}（由目录管理）` : SOURCE_NAME[source]

export const PROTOCOL_NAME: Readonly<Record<InterfaceInfo['protocol'], string>> = {
  static: '静态 IP',
  dhcp: 'DHCP',
  pppoe: 'PPPoE',
}
export const INTERFACE_ROLE_NAME: Readonly<Record<InterfaceInfo['role'], string>> = {
  wan: 'WAN',
  lan: 'LAN',
  tunnel: '隧道',
}
export const PEER_TYPE_NAME = { ...MEMBER_ROLE_NAME, pop: 'POP节点' } as const

export const phoneText = (areaCode: string, phone: string): string => (phone === '' ? '—' : `+${areaCode} ${phone}`)

const OS_NAME: Readonly<Record<string, string>> = SYSTEM_NAME

/** Windows 1.4.2 */
export function clientText({ os, version }: Pick<RouterRow, 'os' | 'version'>): string {
  return [OS_NAME[os] ?? os, version].filter(Boolean).join(' ') || '—'
}

/** 10.65.0.1/24; empty while the interface has no address. */
export const addressText = ({ ip, mask }: Pick<InterfaceInfo, 'ip' | 'mask'>): string =>
  ip === '' ? '' : `${ip}/${mask}`

const ROLE_ORDER: readonly InterfaceInfo['role'][] = ['wan', 'lan', 'tunnel']

/** Interfaces that are up first, then by role, else in the device's order. */
export function sortInterfaces(interfaces: readonly RouterInterface[]): readonly RouterInterface[] {
  return interfaces.toSorted(
    (a, b) => Number(b.up) - Number(a.up) || ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role),
  )
}

/** Reason why the device sends no samples; null while it does. */
export function silenceText({ state, since, last_seen }: PresenceView): string | null {
  switch (state) {
    case 'online':
    case 'flapping':
      return null
    case 'reconnecting':
      return '设备重连中'
    case 'offline':
      return lastSeenText(last_seen ?? since)
    case 'never':
      return '设备从未上线'
    case 'disabled':
      return '设备已停用'
  }
}

/** Time at which the device was last seen; it counts as offline only later, after the time to reconnect. */
const lastSeenText = (atMs: number | null): string => (atMs === null ? '设备离线' : `离线自 ${timeText(atMs)}`)
