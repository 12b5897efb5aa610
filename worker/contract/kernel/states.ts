import type { ServiceState } from '#contract/account/services.ts'
import type { NetworkHealthState } from './health.ts'
import type { ConfigState, LinkState, PresenceState, PresenceView } from './protocol.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'

/* Chinese words for states of members, links, configurations, networks and services. */

/** Word for each state, the same in lists, detail, graph and logs. */
export const PRESENCE_WORD: Readonly<Record<PresenceState, string>> = {
  never: '从未上线',
  online: '在线',
  reconnecting: '重连中',
  offline: '离线',
  flapping: '抖动',
  disabled: '已停用',
  unreadable: '未知',
}

/** Reason of `unreadable`. */
export const UNREADABLE_REASON = '控制台暂时读不到该设备的状态'

/** Label of states that are shown while the live channel is down. */
export const LAST_KNOWN_WORD = '最后已知状态'

/** Displayed start of a state. For offline (离线) it is the last contact, because the state begins only after the grace. */
export const shownSince = ({ state, since, last_seen }: Omit<PresenceView, 'reason' | 'live'>): number | null =>
  state === 'offline' ? (last_seen ?? since) : since

/** True for software members: they dial on demand, so offline (离线) is no fault. */
export const isOnDemand = (routerType: RouterType): boolean => routerType === ROUTER_TYPE.software

/** Reason for the end of a dial that no device has reported. */
export const DIAL_LOST = '对端未再上报'
/** Reasons of an offline software member: its last dial ended, or the dialled centre or node is offline. */
export const DIAL_ENDED = '拨号已断开'
export const DIAL_SERVER_AWAY = '所拨的中心点或POP节点已离线'

/** A POP node runs the document without this network, which keeps what it ran. */
export const NODE_REFUSED = 'POP节点拒绝了配置'

/** Reasons for the end of a link in its log. */
export const LINK_DOWN = '隧道已断开'
export const LINK_DEVICE_AWAY = '设备已离线'
export const LINK_REMOVED = '连接已从组网中移除'
export const LINK_UNKNOWN = '断开时间未知'
export const LINK_DEVICE_GONE = '设备已移除或更换'

export const CONFIG_WORD: Readonly<Record<ConfigState, string>> = {
  none: '无配置',
  queued: '排队',
  pushing: '下发中',
  applied: '已生效',
  failed: '失败',
  reverted: '已回退',
  unsynced: '未同步',
}
/** Beside a number of configurations of which none is in effect yet. */
export const NOT_APPLIED_WORD = '未生效'
export const LINK_WORD: Readonly<Record<LinkState, string>> = {
  up: '连通',
  down: '断开',
  one_sided: '单边',
  unknown: '未知',
  never: '未开通',
}
/** Reason that a device reports for its end of a tunnel whose server does not answer. */
export const NO_ANSWER_REASON = '服务端口未响应'
/** Words for the report of one end of a link about the other. */
export const PROBE_WORD = { received: '收到对方的探测', lost: '收不到对方的探测' } as const
export const NETWORK_HEALTH_WORD: Readonly<Record<NetworkHealthState, string>> = {
  ok: '运行正常',
  unknown: '未知',
  partial: '部分异常',
  down: '中断',
  never: '未开通',
  suspended: '已停用',
}
export const SINGLE_CENTER_WORD = '单中心'
export const SUSPECTED_WORD = '疑似失联'
/** Most links of a network fail, and no object explains it. */
export const NETWORK_FAILS = '链路大面积异常'

export const SERVICE_WORD: Readonly<Record<ServiceState, string>> = {
  pending: '未生效',
  active: '生效中',
  ending: '即将到期',
  expired: '已到期',
}
