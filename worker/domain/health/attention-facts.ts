import type { AttentionKind, AttentionRow, NetworkHealth, NetworkSummary } from '#contract/kernel/health.ts'
import type { ConfigView, PresenceView } from '#contract/kernel/protocol.ts'
import type { Overlap } from '#domain/network/addresses/overlap.ts'
import type { UnsupportedKey } from '#domain/network/compile/device-settings.ts'
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
  readonly unsupported: readonly UnsupportedKey[]
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
  'service_over',
  'saas_over',
  'center_offline',
  'suspected',
  'pop_offline',
  'site_offline',
  'member_offline',
  'link_down',
  'config_failed',
  'certificate_refused',
  'delivery_failed',
])

/** Kinds that are phases of one trouble share the beginning of their ids. */
const TROUBLE: Partial<Record<AttentionKind, string>> = {
  network_down: 'outage',
  center_offline: 'outage',
  suspected: 'outage',
  site_offline: 'outage',
  member_offline: 'outage',
  member_unreadable: 'outage',
  link_down: 'link',
  link_one_sided: 'link',
  single_center: 'link',
  config_failed: 'config',
  config_reverted: 'config',
  config_unsynced: 'config',
  pop_expired: 'pop',
  pop_ending: 'pop',
  saas_over: 'saas',
  saas_ending: 'saas',
  certificate_refused: 'certificate',
  certificate_ending: 'certificate',
  directory_failed: 'directory',
  directory_asking: 'directory',
}

type Target = Partial<AttentionRow['target']> & Pick<AttentionRow['target'], 'type'>
type Facts = Pick<AttentionRow, 'name' | 'cause'> &
  Partial<Pick<AttentionRow, 'since' | 'until' | 'folded'>> & {
    /** Object in the id of the row, if the names of the target are not enough. */
    readonly object?: string
  }

export function row(kind: AttentionKind, target: Target, { object, ...facts }: Facts): AttentionRow {
  const names = [target.network_number, target.router_name, target.center_router_name].filter((name) => name != null)
  return {
    id: `${TROUBLE[kind] ?? kind} ${object ?? names.join('/')}`,
    kind,
    level: BAD.has(kind) ? 'bad' : 'warn',
    target: { network_number: null, router_name: null, center_router_name: null, ticket_number: null, ...target },
    since: null,
    until: null,
    folded: 0,
    handled: null,
    ...facts,
  }
}

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
