import { ALERT } from '#contract/monitor/alert.ts'
import { type Consequences, toConsequences } from '#domain/health/absence.ts'
import { type AlertFacts, type Condition, type Draft, keyOf } from './state.ts'

/* Suspected centres: an alert that presence confirms, renames or closes, and the consequences of a lost centre. */

/** Merges a condition with a known suspicion. False if there is none. */
export function mergeSuspicion(draft: Draft, found: Condition): boolean {
  const key = keyOf(found)
  const [own, child, pending] = [draft.own(key), draft.child(key), draft.pendingOf(key)]
  const isConfirmed = found.isSuspected !== true
  if (own?.isSuspected) {
    const startedAt = Math.min(own.startedAt, found.startedAt ?? found.at)
    draft.put(
      isConfirmed
        ? { ...own, isSuspected: false, cleared: null, startedAt, reason: found.reason }
        : { ...own, cleared: null },
    )
    return true
  }
  if (child?.isSuspected) {
    if (isConfirmed) draft.children.set(key, { ...child, isSuspected: false, reason: found.reason })
    return true
  }
  if (!pending?.isSuspected) return false
  const startedAt = Math.min(pending.startedAt, found.startedAt ?? found.at)
  if (isConfirmed) draft.pending.set(key, { ...pending, isSuspected: false, startedAt, reason: found.reason })
  return true
}

/**
 * Ends a suspicion, or keeps it where only presence says that the device is there. An alert waits for presence: a centre
 * whose absence is decided has no faulty links. False for conditions that no suspicion concerns.
 */
export function endSuspicion(draft: Draft, found: Condition, now: number): boolean {
  const key = keyOf(found)
  const [own, pending] = [draft.own(key), draft.pendingOf(key)]
  if (found.isSuspected !== true) return [own, draft.child(key), pending].some((one) => one?.isSuspected === true)
  if (pending?.isSuspected) draft.pending.set(key, null)
  if (own?.isSuspected && !own.cleared) draft.put({ ...own, cleared: { at: found.at, closeAt: now + ALERT.clearMs } })
  return draft.child(key)?.isSuspected !== true
}

export const isCenter = (name: string, { routers }: AlertFacts): boolean =>
  routers.get(name)?.networks.some((network) => network.isCenter) ?? false

/** Networks of a lost centre that are interrupted or have lost redundancy; undefined without any. */
export function findConsequences(name: string, draft: Draft, facts: AlertFacts): Consequences | undefined {
  const isLost = (center: string) => {
    const key = keyOf({ rule: 'router_offline', object: center })
    return center === name || [draft.own(key), draft.child(key), draft.pendingOf(key)].some((one) => one !== undefined)
  }
  const own = (facts.routers.get(name)?.networks ?? []).flatMap(({ number, isCenter: isOwn }) => {
    const network = facts.networks.get(number)
    return isOwn && network ? [network] : []
  })
  const outages = own.filter(({ health, centers }) => health?.state === 'down' || centers.every(isLost))
  const halved = own.filter((network) => !outages.includes(network) && (network.health?.single_center ?? 0) > 0)
  if (outages.length + halved.length === 0) return undefined
  return toConsequences(
    outages,
    halved.map(({ name: label, health }) => ({ name: label, members: health?.single_center ?? 0 })),
  )
}
