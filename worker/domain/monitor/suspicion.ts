import { ALERT } from '#contract/monitor/alert.ts'
import { type Alert, type AlertFacts, type Condition, type Draft, type Pending, keyOf, networkObject } from './state.ts'

/* Suspected centres and networks: an alert that presence confirms, renames or closes. */

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

/** The open alert about a network whose links fail, under the name of the centre that turns out to be away. */
export function findSuspectedNetwork(draft: Draft, center: Pending, { routers }: AlertFacts): Alert | undefined {
  if (center.rule !== 'router_offline' || center.endedAt !== null || center.isSuspected === true) return undefined
  const keys = (routers.get(center.object)?.networks ?? []).flatMap(({ number, isCenter: isOwn }) =>
    isOwn ? [keyOf({ rule: center.rule, object: networkObject(number) })] : [],
  )
  const alert = keys.flatMap((key) => draft.own(key) ?? [])[0]
  if (!alert) return undefined
  const { isSuspected: _, cleared: __, ...rest } = alert
  const { object, label, networks, reason } = center
  return { ...rest, object, label, networks, reason, startedAt: Math.min(alert.startedAt, center.startedAt) }
}

export const isCenter = (name: string, { routers }: AlertFacts): boolean =>
  routers.get(name)?.networks.some((network) => network.isCenter) ?? false
