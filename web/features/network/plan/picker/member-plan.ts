import type { PresenceView } from '#contract/kernel/protocol.ts'
import type { Quota } from '#domain/network/members/membership.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import type { MemberRole } from '#pages/network/network-text.ts'
import { NETWORK, NETWORK_TYPE } from '#contract/network/limits.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import type { SegmentHolder } from '#domain/network/addresses/member-segments.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'

/* Plan of a network's members while it is edited: candidates, choices, checks, and merge after a conflict. */

export interface MemberOption {
  readonly router_name: string
  readonly note: string
  readonly routerType: RouterType
  readonly presence: PresenceView
  /** Networks of the member, also this one. A centre has a subnet index, and the segments chosen instead of it. */
  readonly networks: readonly {
    readonly network_number: string
    readonly network_name: string
    readonly segment_index: number | null
    readonly gateway?: SegmentHolder['gateway'] | null
  }[]
  /** Segments of its LAN, and addresses of its WAN. */
  readonly lan: readonly string[]
  readonly wan: readonly string[]
}

export const UNKNOWN_MEMBER: Omit<MemberOption, 'router_name' | 'presence'> = {
  routerType: ROUTER_TYPE.hardware,
  note: '',
  networks: [],
  lan: [],
  wan: [],
}

/** Members that the network will have, by router_name. */
export interface Plan {
  readonly center: readonly string[]
  readonly point: readonly string[]
}

export interface PickerQuota extends Quota {
  readonly isSuspended: boolean
}

export const NO_PLAN: Plan = { center: [], point: [] }

export const toPlan = (
  members: readonly { readonly router_name: string; readonly member_type: MemberRole }[],
): Plan => ({
  center: members.filter((m) => m.member_type === 'center').map((m) => m.router_name),
  point: members.filter((m) => m.member_type === 'point').map((m) => m.router_name),
})

export const sizeOf = ({ center, point }: Plan): number => center.length + point.length

export function unassign(plan: Plan, names: readonly string[]): Plan {
  const gone = new Set(names)
  return { center: plan.center.filter((n) => !gone.has(n)), point: plan.point.filter((n) => !gone.has(n)) }
}

/** A point-to-point network has no centre: chosen centres become points. */
export const withoutCenters = ({ center, point }: Plan): Plan => ({ center: [], point: [...center, ...point] })

export function assign(plan: Plan, names: readonly string[], role: MemberRole): Plan {
  const rest = unassign(plan, names)
  return { ...rest, [role]: [...rest[role], ...names] }
}

/** Number of members in all networks of the account once the plan is saved. */
export const membersAfter = (base: Plan, plan: Plan, quota: PickerQuota): number =>
  quota.membersUsed - sizeOf(base) + sizeOf(plan)

export interface PickerState {
  readonly networkNumber: string
  readonly base: Plan
  readonly plan: Plan
  readonly known: ReadonlyMap<string, MemberOption>
  readonly quota: PickerQuota
  readonly networkType: number
}

/** Checks the upper limits only; the lower ones are checked when the plan is saved. */
export function checkAssign(state: PickerState, names: readonly string[], role: MemberRole): Violation | null {
  const { base, plan, known, quota } = state
  const before = new Set(base[role])
  const isBack = names.every((name) => before.has(name)) // undoes a removal: needs no quota
  if (isBack) return null
  if (quota.isSuspended) return violation('NETWORK_SUSPENDED')
  const next = assign(plan, names, role)
  if (role === 'center') {
    if (state.networkType === NETWORK_TYPE.pointToPoint) return violation('TYPE_TWO_CENTER_FORBIDDEN')
    if (names.some((name) => known.get(name)?.routerType === ROUTER_TYPE.software))
      return violation('SOFTWARE_CENTER_FORBIDDEN')
    if (next.center.length > quota.centers) return violation('CENTER_LIMIT_REACHED', { limit: quota.centers })
  }
  return checkMemberQuota(state, names, next)
}

function checkMemberQuota(
  { base, plan, known, quota }: PickerState,
  names: readonly string[],
  next: Plan,
): Violation | null {
  const isBase = new Set([...base.center, ...base.point])
  const added = names.filter((name) => !isBase.has(name))
  if (added.length > 0 && sizeOf(next) > sizeOf(plan) && membersAfter(base, next, quota) > quota.members)
    return violation('MEMBER_LIMIT_REACHED', { limit: quota.members })
  const full = added.flatMap((name) => known.get(name) ?? []).find(isFull)
  return full === undefined
    ? null
    : violation('MEMBER_NETWORKS_FULL', { name: memberLabel(full), limit: NETWORK.perRouter })
}

export const isFull = ({ networks }: MemberOption): boolean => networks.length >= NETWORK.perRouter

/**
 * Three-way merge after a revision conflict: applies the changes from `base` to `plan` on top of `latest`. Without it,
 * saving would silently remove members that somebody else has just added.
 */
export function rebase(base: Plan, plan: Plan, latest: Plan): Plan {
  const was = toRoles(base)
  const wanted = toRoles(plan)
  const roles = toRoles(latest)
  for (const name of new Set([...was.keys(), ...wanted.keys()])) {
    const role = wanted.get(name)
    if (role === was.get(name)) continue
    if (role === undefined) roles.delete(name)
    else roles.set(name, role)
  }
  const named = (role: MemberRole) => [...roles].filter(([, of]) => of === role).map(([name]) => name)
  return { center: named('center'), point: named('point') }
}

export function toRoles(plan: Plan): Map<string, MemberRole> {
  return new Map([
    ...plan.center.map((name): [string, MemberRole] => [name, 'center']),
    ...plan.point.map((name): [string, MemberRole] => [name, 'point']),
  ])
}

export function isSamePlan(a: Plan, b: Plan): boolean {
  const roles = toRoles(b)
  return sizeOf(a) === sizeOf(b) && [...toRoles(a)].every(([name, role]) => roles.get(name) === role)
}

/** Case-insensitive search in note and name. */
export function isMatch(choice: { readonly router_name: string; readonly note: string }, search: string): boolean {
  const text = search.trim().toLowerCase()
  return text === '' || choice.router_name.toLowerCase().includes(text) || choice.note.toLowerCase().includes(text)
}
