import type { ConfigState, PresenceState, PresenceView } from '#contract/kernel/protocol.ts'
import { isOnDemand } from '#contract/kernel/states.ts'
import type { RouterType } from '#contract/router/limits.ts'

/* Presence states of members: their display order, counts, and the rule for a member in trouble (需关注). */

/** States in the order of lists, chips and bars. */
export const MEMBER_STATES = [
  'online',
  'reconnecting',
  'flapping',
  'unreadable',
  'offline',
  'never',
  'disabled',
] as const

/** Number of members in each state. Each member counts once. */
export type StateCount = Readonly<Record<PresenceState, number>>

export const NO_MEMBERS: StateCount = {
  online: 0,
  reconnecting: 0,
  flapping: 0,
  unreadable: 0,
  offline: 0,
  never: 0,
  disabled: 0,
}

export function countStates(members: readonly { readonly presence: Pick<PresenceView, 'state'> }[]): StateCount {
  const count = { ...NO_MEMBERS }
  for (const { presence } of members) count[presence.state] += 1
  return count
}

/** Members with the same state, counted in SQL. */
export interface MemberGroup extends Required<Pick<PresenceView, 'state' | 'live'>> {
  readonly count: number
}

export function sumGroups(groups: readonly MemberGroup[]): { readonly states: StateCount; readonly online: number } {
  const states = { ...NO_MEMBERS }
  let online = 0
  for (const group of groups) {
    states[group.state] += group.count
    if (isOnline(group)) online += group.count
  }
  return { states, online }
}

export const sumStates = (count: StateCount): number => MEMBER_STATES.reduce((sum, state) => sum + count[state], 0)

export interface StateShare {
  readonly state: PresenceState
  readonly count: number
  /** True for members that dial on demand; 离线 (offline) is no fault of theirs. */
  readonly isOnDemand: boolean
}

/** States with at least one member, in order. `onDemand` offline members dial on demand and form a share of their own. */
export const toStateShares = (count: StateCount, onDemand = 0): readonly StateShare[] =>
  MEMBER_STATES.flatMap((state) => {
    const resting = state === 'offline' ? Math.min(onDemand, count.offline) : 0
    return [
      { state, count: count[state] - resting, isOnDemand: false },
      { state, count: resting, isOnDemand: true },
    ]
  }).filter((share) => share.count > 0)

/** `online` on the wire: 在线, 重连中, and 抖动 with a live socket. The same rule in SQL: features/router/sql/columns.ts. */
export const isOnline = ({ state, live }: Pick<PresenceView, 'state' | 'live'>): boolean =>
  state === 'online' || state === 'reconnecting' || (state === 'flapping' && live === true)

/** States in which the device may hold a socket: its lease is checked, and its links have states of their own. */
export const isPresent = (state: PresenceState): boolean =>
  state === 'online' || state === 'reconnecting' || state === 'flapping'

/** True for a device that came online at least once and is not disabled. */
export const hasCome = (state: PresenceState): boolean => state !== 'never' && state !== 'disabled'

export const PRESENT_STATES = MEMBER_STATES.filter(isPresent)

/** Faults of a configuration: failed, undone by the device, or out of step. */
export const TROUBLE_CONFIGS = ['failed', 'reverted', 'unsynced'] as const satisfies readonly ConfigState[]

export const isConfigTrouble = (state: ConfigState): boolean => TROUBLE_CONFIGS.some((trouble) => trouble === state)

export const isTrouble = (routerType: RouterType, presence: PresenceState, config: ConfigState): boolean =>
  presence === 'flapping' ||
  presence === 'unreadable' ||
  (!isOnDemand(routerType) && (presence === 'offline' || isConfigTrouble(config)))

/** 配置异常 of a device that its presence does not explain. */
export const isConfigFault = (routerType: RouterType, presence: PresenceState, config: ConfigState): boolean =>
  !isOnDemand(routerType) &&
  isConfigTrouble(config) &&
  presence !== 'flapping' &&
  presence !== 'unreadable' &&
  presence !== 'offline'

/** Reconnecting (重连中) counts as online (在线), so that a short interruption is no transition. */
export const stableState = (state: PresenceState): PresenceState => (state === 'reconnecting' ? 'online' : state)
