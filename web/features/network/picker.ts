import { type Violation, violation } from '../../../worker/contract/errors.ts'
import { NETWORK, ROUTER_TYPE, type RouterType } from '../../../worker/contract/limits.ts'
import type { PresenceState } from '../../../worker/contract/protocol.ts'
import { checkMembers, type Member, type Quota } from '../../../worker/domain/network/membership.ts'
import type { MemberRole } from './network-text.ts'

/** A member that may be chosen. */
export interface MemberOption {
  readonly router_name: string
  readonly note: string
  readonly routerType: RouterType
  readonly state: PresenceState
  /** Networks it is in, this one included. */
  readonly networkCount: number
}

/** The plan: members the network is to have, by router_name. */
export interface Plan {
  readonly center: readonly string[]
  readonly point: readonly string[]
}

export interface PickerQuota extends Quota {
  readonly isSuspended: boolean
}

export const NO_PLAN: Plan = { center: [], point: [] }

export const sizeOf = ({ center, point }: Plan): number => center.length + point.length

export function unassign(plan: Plan, names: readonly string[]): Plan {
  const gone = new Set(names)
  return { center: plan.center.filter((n) => !gone.has(n)), point: plan.point.filter((n) => !gone.has(n)) }
}

/** Drops members that were deleted after they had been chosen. */
export function dropUnknown(plan: Plan, known: ReadonlyMap<string, MemberOption>): Plan {
  return unassign(
    plan,
    [...plan.center, ...plan.point].filter((name) => !known.has(name)),
  )
}

/** Gives members a role, whether they are in the plan already or not. */
export function assign(plan: Plan, names: readonly string[], role: MemberRole): Plan {
  const rest = unassign(plan, names)
  return { ...rest, [role]: [...rest[role], ...names] }
}

/** Members of the account in all its networks once the plan is saved. */
export const membersAfter = (base: Plan, plan: Plan, quota: PickerQuota): number =>
  quota.membersUsed - sizeOf(base) + sizeOf(plan)

interface PickerState {
  readonly base: Plan
  readonly plan: Plan
  readonly known: ReadonlyMap<string, MemberOption>
  readonly quota: PickerQuota
}

/** Checks the upper limits only; what is still missing is checked when the plan is saved. */
export function checkAssign(state: PickerState, names: readonly string[], role: MemberRole): Violation | null {
  const { base, plan, known, quota } = state
  const before = new Set(base[role])
  const isBack = names.every((name) => before.has(name)) // undoes a removal: needs no quota
  if (isBack) return null
  if (quota.isSuspended) return violation('NETWORK_SUSPENDED')
  const next = assign(plan, names, role)
  if (role === 'center') {
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
  const full = added.find((name) => (known.get(name)?.networkCount ?? 0) >= NETWORK.perRouter)
  return full === undefined
    ? null
    : violation('MEMBER_NETWORKS_FULL', { name: known.get(full)?.note || full, limit: NETWORK.perRouter })
}

/** Same rule as the server's, without LAN segments, which only the server knows. */
export function checkPlan({ base, plan, known, quota }: PickerState): Violation | null {
  const ids = new Map([...new Set([...known.keys(), ...base.center, ...base.point])].map((name, id) => [name, id]))
  const toMembers = (of: Plan): Member[] =>
    (['center', 'point'] as const).flatMap((memberType) =>
      of[memberType].map((routerName) => ({
        routerId: ids.get(routerName) ?? -1,
        routerName,
        routerType: known.get(routerName)?.routerType ?? ROUTER_TYPE.hardware,
        memberType,
        note: known.get(routerName)?.note ?? '',
        lans: [],
        wans: [],
        segmentIndex: null,
        networkCount: known.get(routerName)?.networkCount ?? 0,
      })),
    )
  return checkMembers(toMembers(base), toMembers(plan), quota, quota.isSuspended)
}

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

function toRoles(plan: Plan): Map<string, MemberRole> {
  return new Map([
    ...plan.center.map((name): [string, MemberRole] => [name, 'center']),
    ...plan.point.map((name): [string, MemberRole] => [name, 'point']),
  ])
}

export function isSamePlan(a: Plan, b: Plan): boolean {
  const roles = toRoles(b)
  return sizeOf(a) === sizeOf(b) && [...toRoles(a)].every(([name, role]) => roles.get(name) === role)
}

/** Role of one added member (network 4): software, and a centre beyond the limit, become a point, with the reason. */
export function resolveRole(
  routerType: RouterType,
  wanted: MemberRole,
  centers: { readonly used: number; readonly limit: number },
): { readonly role: MemberRole; readonly refused: Violation | null } {
  if (wanted === 'point') return { role: 'point', refused: null }
  if (routerType === ROUTER_TYPE.software) return { role: 'point', refused: violation('SOFTWARE_CENTER_FORBIDDEN') }
  if (centers.used >= centers.limit)
    return { role: 'point', refused: violation('CENTER_LIMIT_REACHED', { limit: centers.limit }) }
  return { role: 'center', refused: null }
}

/** Case-insensitive search in note and name. */
export function isMatch(choice: { readonly router_name: string; readonly note: string }, search: string): boolean {
  const text = search.trim().toLowerCase()
  return text === '' || choice.router_name.toLowerCase().includes(text) || choice.note.toLowerCase().includes(text)
}
