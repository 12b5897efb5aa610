import type { ConfigState, ConfigView, LinkState, PresenceState, PresenceView } from '../../../durable/protocol.ts'

/** The one word for each state in lists, detail, graph and logs. */
export const PRESENCE_WORD: Readonly<Record<PresenceState, string>> = {
  never: '从未上线',
  online: '在线',
  reconnecting: '重连中',
  offline: '离线',
  flapping: '频繁掉线',
  disabled: '已停用',
}
export const CONFIG_WORD: Readonly<Record<ConfigState, string>> = {
  none: '无配置',
  queued: '排队中',
  pushing: '下发中',
  applied: '已生效',
  failed: '应用失败',
  reverted: '已回退',
  unsynced: '未同步',
}
export const LINK_WORD: Readonly<Record<LinkState, string>> = {
  up: '正常',
  down: '断开',
  one_sided: '单边',
  unknown: '未知',
}

/** There, or gone for so short a time that nothing is decided yet. */
export const isPresent = (state: PresenceState): boolean =>
  state === 'online' || state === 'reconnecting' || state === 'flapping'

/** A state an operator or the customer has to look at (router/lists `attention`). */
export const needsAttention = (presence: PresenceState, config: ConfigState): boolean =>
  presence === 'flapping' || config === 'failed' || config === 'reverted' || config === 'unsynced'

export const neverSeen: PresenceView = { state: 'never', since: null, last_seen: null, reason: '' }
export const noConfig: ConfigView = { state: 'none', version: 0, applied_version: null, reason: '', at: null }

/** A row of router_states; a router that has none has never been seen. */
export interface StateRow {
  readonly presence: PresenceState
  readonly presenceSince: number | null
  readonly presenceReason: string
  readonly lastSeenAt: number | null
  readonly configState: ConfigState
  readonly configVersion: number
  readonly configAppliedVersion: number | null
  readonly configReason: string
  readonly configAt: number | null
}

export function presenceOf(row: StateRow | null): PresenceView {
  if (!row) return neverSeen
  return {
    state: row.presence,
    since: row.presenceSince,
    last_seen: row.lastSeenAt,
    reason: row.presenceReason,
  }
}

export function configOf(row: StateRow | null): ConfigView {
  if (!row) return noConfig
  return {
    state: row.configState,
    version: row.configVersion,
    applied_version: row.configAppliedVersion,
    reason: row.configReason,
    at: row.configAt,
  }
}
