import type { Extra, Input } from '#contract/kernel/endpoint.ts'
import type { ConfigView, PresenceView } from '#contract/kernel/protocol.ts'
import { PRESENCE_WORD, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { isConfigFault, isTrouble, MEMBER_STATES } from '#domain/health/member.ts'

/* States of members in lists: live updates of rows, and the filter by state with its counts. */

export interface MemberStates {
  readonly presence: PresenceView
  readonly config: ConfigView
}

/** States pushed since the rows were read, by router_name. They are newer than the rows. */
type PushedStates = ReadonlyMap<string, MemberStates>

export const NOTHING_PUSHED: PushedStates = new Map()

export function addStates(
  pushed: PushedStates,
  changed: readonly (MemberStates & { readonly router_name: string })[],
): PushedStates {
  const next = new Map(pushed)
  for (const { router_name, presence, config } of changed) next.set(router_name, { presence, config })
  return next
}

/** Rows without a pushed state keep their identity. */
export function withStates<Row extends MemberStates & { readonly router_name: string }>(
  rows: readonly Row[],
  pushed: PushedStates,
): readonly Row[] {
  if (!rows.some(({ router_name }) => pushed.has(router_name))) return rows
  return rows.map((row) => ({ ...row, ...pushed.get(row.router_name) }))
}

export type MemberState = NonNullable<Input<typeof routerApi.lists>['state']>

type StateCounts = Extra<typeof routerApi.lists>['states']

/** Needs attention (需关注) means a fault; software members dial on demand and hardly have faults. */
const VALUES: Readonly<Record<RouterType, readonly Exclude<MemberState, ''>[]>> = {
  [ROUTER_TYPE.hardware]: [...MEMBER_STATES, 'config', 'single_center', 'attention'],
  [ROUTER_TYPE.software]: MEMBER_STATES,
}
const FILTER_WORD = { ...PRESENCE_WORD, config: '配置异常', single_center: SINGLE_CENTER_WORD, attention: '需关注' }
export const stateChips = (type: RouterType, counts: StateCounts | undefined) =>
  VALUES[type].map((value) => ({
    value,
    label: FILTER_WORD[value],
    count: counts?.[value] ?? 0,
  }))

/** The row still matches the filter after a change of its states. */
export function isInState(
  { router_type, presence, config, single_center }: MemberStates & { router_type: RouterType; single_center: 0 | 1 },
  state: MemberState,
): boolean {
  if (state === '') return true
  if (state === 'attention') return isTrouble(router_type, presence.state, config.state)
  if (state === 'config') return isConfigFault(router_type, presence.state, config.state)
  return state === 'single_center' ? single_center === 1 : presence.state === state
}

/** An unknown value in the address means no filter. */
export function toMemberState(text: string, type: RouterType): MemberState {
  return VALUES[type].find((value) => value === text) ?? ''
}

export function toRouterType(text: string | null): RouterType {
  return text === String(ROUTER_TYPE.software) ? ROUTER_TYPE.software : ROUTER_TYPE.hardware
}
