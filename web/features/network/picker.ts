import { type Violation, violation } from '../../../worker/contract/errors.ts'
import { NETWORK, ROUTER_TYPE, type RouterType } from '../../../worker/contract/limits.ts'
import { checkMembers, type Member } from '../../../worker/domain/network/membership.ts'
import type { MemberRole } from './network-text.ts'

/** A member that may be chosen. */
export interface Choice {
  readonly router_name: string
  readonly note: string
  readonly routerType: RouterType
  readonly isOnline: boolean
  /** Networks it is in, this one included. */
  readonly networkCount: number
}

/** Who is to be in the network, by router_name. */
export interface Plan {
  readonly center: readonly string[]
  readonly point: readonly string[]
}

export interface PickerRoom {
  /** Members the account may have in all its networks together, and how many there are now. */
  readonly seats: number
  readonly seatsUsed: number
  readonly centers: number
  readonly isSuspended: boolean
}

export const NO_PLAN: Plan = { center: [], point: [] }

export const sizeOf = ({ center, point }: Plan): number => center.length + point.length

export function without(plan: Plan, names: readonly string[]): Plan {
  const gone = new Set(names)
  return { center: plan.center.filter((n) => !gone.has(n)), point: plan.point.filter((n) => !gone.has(n)) }
}

/** Without those who have been deleted since they were chosen. */
export function knownOf(plan: Plan, known: ReadonlyMap<string, Choice>): Plan {
  return without(
    plan,
    [...plan.center, ...plan.point].filter((name) => !known.has(name)),
  )
}

/** Puts members in a role, whether they are in the plan already or not. */
export function place(plan: Plan, names: readonly string[], role: MemberRole): Plan {
  const rest = without(plan, names)
  return { ...rest, [role]: [...rest[role], ...names] }
}

/** Seats the account uses once the plan is saved. */
export const seatsAfter = (base: Plan, plan: Plan, room: PickerRoom): number =>
  room.seatsUsed - sizeOf(base) + sizeOf(plan)

interface PickerState {
  readonly base: Plan
  readonly plan: Plan
  readonly known: ReadonlyMap<string, Choice>
  readonly room: PickerRoom
}

/** May these be placed so? The ceilings only: what is still missing is said when the plan is saved. */
export function checkPlace(state: PickerState, names: readonly string[], role: MemberRole): Violation | null {
  const { base, plan, known, room } = state
  const before = new Set(base[role])
  const isBack = names.every((name) => before.has(name)) // as it was: nothing is asked for
  if (isBack) return null
  if (room.isSuspended) return violation('NETWORK_SUSPENDED')
  const next = place(plan, names, role)
  if (role === 'center') {
    if (names.some((name) => known.get(name)?.routerType === ROUTER_TYPE.software))
      return violation('SOFTWARE_CENTER_FORBIDDEN')
    if (next.center.length > room.centers) return violation('CENTER_LIMIT_REACHED', { limit: room.centers })
  }
  return checkSeats(state, names, next)
}

function checkSeats({ base, plan, known, room }: PickerState, names: readonly string[], next: Plan): Violation | null {
  const isBase = new Set([...base.center, ...base.point])
  const added = names.filter((name) => !isBase.has(name))
  if (added.length > 0 && sizeOf(next) > sizeOf(plan) && seatsAfter(base, next, room) > room.seats)
    return violation('MEMBER_LIMIT_REACHED', { limit: room.seats })
  const full = added.find((name) => (known.get(name)?.networkCount ?? 0) >= NETWORK.perRouter)
  return full === undefined
    ? null
    : violation('MEMBER_NETWORKS_FULL', { name: known.get(full)?.note || full, limit: NETWORK.perRouter })
}

/** May the plan be saved? The server's own rule; what only it knows (LAN segments) it tells itself. */
export function checkPlan({ base, plan, known, room }: PickerState): Violation | null {
  const ids = new Map([...new Set([...known.keys(), ...base.center, ...base.point])].map((name, id) => [name, id]))
  const membersOf = (of: Plan): Member[] =>
    (['center', 'point'] as const).flatMap((memberType) =>
      of[memberType].map((routerName) => ({
        routerId: ids.get(routerName) ?? -1,
        routerName,
        routerType: known.get(routerName)?.routerType ?? ROUTER_TYPE.hardware,
        memberType,
        note: known.get(routerName)?.note ?? '',
        lans: [],
        segmentIndex: null,
        networkCount: known.get(routerName)?.networkCount ?? 0,
      })),
    )
  const quota = { members: room.seats, membersUsed: room.seatsUsed, centers: room.centers }
  return checkMembers(membersOf(base), membersOf(plan), quota, room.isSuspended)
}

/**
 * Somebody else changed the network meanwhile: their changes stand, and this plan's own are made again on top. Without
 * that, saving would silently take out whom the other one added.
 */
export function rebase(base: Plan, plan: Plan, latest: Plan): Plan {
  const was = rolesOf(base)
  const wanted = rolesOf(plan)
  const roles = rolesOf(latest)
  for (const name of new Set([...was.keys(), ...wanted.keys()])) {
    const role = wanted.get(name)
    if (role === was.get(name)) continue
    if (role === undefined) roles.delete(name)
    else roles.set(name, role)
  }
  const named = (role: MemberRole) => [...roles].filter(([, of]) => of === role).map(([name]) => name)
  return { center: named('center'), point: named('point') }
}

function rolesOf(plan: Plan): Map<string, MemberRole> {
  return new Map([
    ...plan.center.map((name): [string, MemberRole] => [name, 'center']),
    ...plan.point.map((name): [string, MemberRole] => [name, 'point']),
  ])
}

export function isSamePlan(a: Plan, b: Plan): boolean {
  const roles = rolesOf(b)
  return sizeOf(a) === sizeOf(b) && [...rolesOf(a)].every(([name, role]) => roles.get(name) === role)
}

/** Adding one member (network 4): software is a point; a centre beyond the ceiling falls back to a point, and says so. */
export function roleFor(
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

/** Note or name contains the text, whatever its case. */
export function isMatch(choice: { readonly router_name: string; readonly note: string }, search: string): boolean {
  const text = search.trim().toLowerCase()
  return text === '' || choice.router_name.toLowerCase().includes(text) || choice.note.toLowerCase().includes(text)
}
