import type { AttentionKind, AttentionRow, NetworkHealth, NetworkSummary } from '#contract/kernel/health.ts'
import type { ConfigView, PresenceView } from '#contract/kernel/protocol.ts'
import type { Overlap } from '#domain/network/addresses/overlap.ts'
import type { DeviceSettingKey } from '#domain/network/compile/device-settings.ts'
import type { Term } from '#domain/network-fr/resource.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import type { NetworkContract } from './suspension.ts'

/* Members and networks behind the rows that need attention, and the row of each kind. */

export interface AttentionMember {
  readonly routerName: string
  /** Note, or name. */
  readonly label: string
  readonly routerType: RouterType
  readonly presence: PresenceView
  readonly config: ConfigView
  /** Public address of its last connection; null before the first. */
  readonly remoteHost: string | null
  readonly networks: readonly { readonly number: string; readonly memberType: 'center' | 'point' }[]
  /** Settings of its networks that the device does not support. */
  readonly unsupported: readonly DeviceSettingKey[]
}

export interface AttentionNetwork extends Omit<NetworkSummary, 'health'>, NetworkContract {
  readonly number: string
  readonly name: string
  readonly health: NetworkHealth
  readonly overlaps: readonly Overlap[]
  /** Areas of its POP nodes, by the name of the node. */
  readonly areas: ReadonlyMap<string, string>
  /** Its POP resource; null without one. */
  readonly pop: (Term & { readonly name: string }) | null
}

const BAD: ReadonlySet<AttentionKind> = new Set([
  'fleet_offline',
  'network_down',
  'network_suspended',
  'pop_expired',
  'center_offline',
  'suspected',
  'pop_offline',
  'site_offline',
  'member_offline',
  'link_down',
  'config_failed',
])

type Target = Partial<AttentionRow['target']> & Pick<AttentionRow['target'], 'type'>
type Facts = Pick<AttentionRow, 'name' | 'cause'> & Partial<Pick<AttentionRow, 'since' | 'until' | 'folded'>>

export const row = (kind: AttentionKind, target: Target, facts: Facts): AttentionRow => ({
  kind,
  level: BAD.has(kind) ? 'bad' : 'warn',
  target: { network_number: null, router_name: null, center_router_name: null, ...target },
  since: null,
  until: null,
  folded: 0,
  ...facts,
})

export const withReason = (what: string, reason: string): string => (reason === '' ? what : `${what}：${reason}`)

export const isHardware = ({ routerType }: Pick<AttentionMember, 'routerType'>): boolean =>
  routerType === ROUTER_TYPE.hardware

export const isAway = (member: AttentionMember): boolean => isHardware(member) && member.presence.state === 'offline'

const NAMES_SHOWN = 2

/** Names of several objects of one kind: 甲、乙, or 甲、乙 等 5 个中心点. */
export function joinNames(names: readonly string[], unit: string): string {
  const shown = names.slice(0, NAMES_SHOWN).join('、')
  return names.length <= NAMES_SHOWN ? shown : `${shown} 等 ${names.length} ${unit}`
}
