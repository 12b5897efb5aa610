import { toMessage } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { NETWORK_STATUS } from '#contract/network/limits.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'

/* Rules for actions on routers: deletion, sending the configuration again, and the answers of bulk calls. */

export interface Membership {
  readonly name: string
  readonly memberType: 'center' | 'point'
  readonly centerCount: number
}

/** @param isCovered the caller's scope covers every network of the router. */
export function checkDeletion(memberships: readonly Membership[], isCovered: boolean): Violation | null {
  if (!isCovered) return violation('ROUTER_SHARED')
  const led = memberships.find(({ memberType, centerCount }) => memberType === 'center' && centerCount === 1)
  return led ? violation('ROUTER_IS_LAST_CENTER', { network: led.name }) : null
}

export interface DeletionTarget {
  readonly networks: readonly (Membership & { readonly id: number })[]
  readonly isCovered: boolean
}

/** Routers that may be deleted together. The others are a network's last centre, or in use by a setting. */
export function planDeletions<T extends DeletionTarget>(
  targets: readonly T[],
  checkUse: (target: T) => Violation | null,
) {
  const goneCenters = new Map<number, number>()
  const accepted: T[] = []
  const refused: { target: T; problem: Violation }[] = []
  for (const target of targets) {
    const networks = target.networks.map((n) => ({ ...n, centerCount: n.centerCount - (goneCenters.get(n.id) ?? 0) }))
    const problem = checkDeletion(networks, target.isCovered) ?? checkUse(target)
    if (problem) {
      refused.push({ target, problem })
      continue
    }
    accepted.push(target)
    for (const { id, memberType } of networks)
      if (memberType === 'center') goneCenters.set(id, (goneCenters.get(id) ?? 0) + 1)
  }
  return { accepted, refused }
}

/** A configuration can be pushed to hardware that is in a working network, or in no network. */
export function checkResend(routerType: RouterType, networks: readonly { readonly status: 0 | 1 }[]): Violation | null {
  if (routerType !== ROUTER_TYPE.hardware) return violation('HARDWARE_ONLY')
  const works = networks.length === 0 || networks.some(({ status }) => status === NETWORK_STATUS.normal)
  return works ? null : violation('NETWORK_SUSPENDED')
}

/** Answer of a bulk call: names in the order of the request, with the reason of each refusal. */
export function toBulkResult(names: readonly string[], problems: ReadonlyMap<string, Violation>) {
  const result = names.map((router_name) => {
    const problem = problems.get(router_name)
    return { router_name, ok: problem ? (0 as const) : (1 as const), msg: problem ? toMessage(problem) : '' }
  })
  return { done: result.filter(({ ok }) => ok === 1).length, result }
}

/** Refusal of a call that did nothing; null if anything was done. */
export const findTotalRefusal = (
  names: readonly string[],
  problems: ReadonlyMap<string, Violation>,
): Violation | null => (problems.size < names.length ? null : (problems.values().next().value ?? null))
