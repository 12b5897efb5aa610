import { ALERT, isDefaultRule, isInstant, remindMs } from '#contract/monitor/alert.ts'
import { groupByCause, type Group } from './cause.ts'
import { isWatched, mutedUntil } from './settings.ts'
import {
  type Alert,
  type AlertEvent,
  type AlertFacts,
  type AlertSettings,
  type AlertState,
  type Change,
  type Child,
  type Condition,
  type Notice,
  type Pending,
  keyOf,
  Draft,
  isAboutRouter,
  isOfMany,
  networkOf,
} from './state.ts'
import { hasGrown, healthsOf, joinServed, listServed, withLoss } from './loss.ts'
import { endSuspicion, findSuspectedNetwork, isCenter, mergeSuspicion } from './suspicion.ts'

/**
 * State machine of an account's alerts: turns an event into writes and notices. Pure; `applyChange` gives the next state.
 */
export function step(state: AlertState, event: AlertEvent, now: number, settings: AlertSettings): Change {
  const draft = new Draft(state)
  if (event.type === 'condition') {
    if (event.isBad) begin(draft, event, now, settings)
    else end(draft, event, now)
  } else if (event.type === 'acknowledge') acknowledge(draft, event.alertId, event.by, now)
  else if (event.type === 'health') {
    for (const alert of state.alerts.values()) {
      const newest = withLoss(alert, draft, event.healths)
      if (newest !== alert) draft.put(newest)
    }
  } else if (event.type === 'settings') dropUnwatched(state, draft, now, settings)
  else {
    fire(state, draft, event.facts, now, settings)
    closeCleared(state, draft, now)
    remind(state, draft, now, settings)
  }
  return draft.change()
}

export function alertsDue({ pending, alerts }: AlertState): number | null {
  let due = Number.POSITIVE_INFINITY
  for (const { fireAt } of pending.values()) due = Math.min(due, fireAt)
  for (const { noticeAt, remindAt, escalateAt, cleared } of alerts.values())
    for (const at of [noticeAt, remindAt, escalateAt, cleared?.closeAt ?? null])
      if (at !== null) due = Math.min(due, at)
  return due === Number.POSITIVE_INFINITY ? null : due
}

function begin(draft: Draft, found: Condition, now: number, settings: AlertSettings): void {
  const { rule, object } = found
  const key = keyOf(found)
  if (!isWatched(settings, rule, object)) return
  if (found.isSuspected && !isDefaultRule(rule, settings.rules[rule])) return
  if (mergeSuspicion(draft, found) || draft.child(key) || draft.own(key)) return
  if (rule === 'router_online' && isAway(draft, object)) return // its return is reported as the recovery
  const known = draft.pendingOf(key)
  if (!known) return void draft.pending.set(key, toPending(found, now, settings))
  if (known.endedAt !== null && !isInstant(rule)) draft.pending.set(key, { ...known, endedAt: null }) // away again before it was reported
}

function toPending(found: Condition, now: number, { rules }: AlertSettings): Pending {
  const { rule, object, label, networks, at, startedAt = at, reason, isSuspected = false } = found
  const needMs = isSuspected ? ALERT.suspectMs : rules[rule].delayMinutes * 60_000
  // A centre is an alert earlier; the rows that tell it are read then.
  const isEarly = rule === 'router_offline' && isDefaultRule(rule, rules[rule])
  const early = isEarly ? Math.min(needMs, startedAt + ALERT.centerMs - at) : needMs
  const fireAt = Math.max(now, at + Math.max(early, ALERT.gatherMs))
  const subject = { object, label, networks, ...(isSuspected && { isSuspected }) }
  return { ...subject, rule, startedAt, since: at, needMs, fireAt, endedAt: null, reason }
}

function isAway(draft: Draft, object: string): boolean {
  const key = keyOf({ rule: 'router_offline', object })
  return [draft.child(key), draft.own(key), draft.pendingOf(key)].some((found) => found !== undefined)
}

/** Ends a condition. One that lasted long enough is reported, even if its end becomes known late. */
function end(draft: Draft, found: Condition, now: number): void {
  const key = keyOf(found)
  if (endSuspicion(draft, found, now)) return
  const pending = draft.pendingOf(key)
  if (pending && pending.endedAt === null) {
    const isLate = !isInstant(pending.rule) && found.at - pending.since >= pending.needMs
    draft.pending.set(key, isLate ? { ...pending, endedAt: found.at, fireAt: Math.min(pending.fireAt, now) } : null)
  }
  const child = draft.child(key)
  if (child) return endChild(draft, key, child, found.at, now)
  const own = draft.own(key)
  if (own) recover(draft, own, found.at, now)
}

function endChild(draft: Draft, key: string, child: Child, at: number, now: number): void {
  draft.children.set(key, { ...child, endedAt: at })
  const alert = draft.alert(child.alertId)
  if (!alert) return
  const live = alert.live - 1
  draft.put({ ...alert, live })
  if (isOfMany(alert.object) && live === 0) recover(draft, { ...alert, live }, at, now)
}

/** Ends an alert. Conditions that it explained and that persist are evaluated again after `settleMs`. */
function recover(draft: Draft, alert: Alert, at: number, now: number): void {
  for (const child of draft.childrenOf(alert.id)) {
    const { alertId: _, endedAt: __, earlier: ___, times: ____, ...condition } = child
    const key = keyOf(child)
    draft.children.set(key, { ...child, endedAt: at })
    const fireAt = now + ALERT.settleMs
    draft.pending.set(key, { ...condition, since: now, needMs: ALERT.settleMs, fireAt, endedAt: null })
  }
  close(draft, alert, at, now)
}

function close(draft: Draft, alert: Alert, at: number, now: number): void {
  const ended = {
    ...alert,
    live: 0,
    endedAt: at > alert.startedAt ? at : now, // clocks of hubs differ: an end before the beginning is now
    noticeAt: null,
    remindAt: null,
    escalateAt: null,
  }
  draft.put(ended)
  if (alert.isNotified) draft.notices.push(notice('recovery', ended, now))
}

function acknowledge(draft: Draft, alertId: string, by: string, now: number): void {
  const alert = draft.alert(alertId)
  if (alert && alert.ackBy === null) draft.put({ ...alert, ackBy: by, ackAt: now, remindAt: null, escalateAt: null })
}

/** Ends alerts about objects that are no longer watched, without a notice. */
function dropUnwatched(state: AlertState, draft: Draft, now: number, settings: AlertSettings): void {
  for (const [key, one] of state.pending) if (!isWatched(settings, one.rule, one.object)) draft.pending.set(key, null)
  for (const [key, child] of state.children)
    if (!isWatched(settings, child.rule, child.object)) endChild(draft, key, child, now, now)
  for (const alert of state.alerts.values()) {
    const newest = draft.alert(alert.id)
    if (newest && !isWatched(settings, alert.rule, alert.object))
      recover(draft, { ...newest, isNotified: false }, now, now)
    else if (newest && newest.noticeAt !== null)
      draft.put({ ...newest, noticeAt: mutedUntil(settings, newest, now) ?? now })
  }
}

/** Opens alerts for conditions that have lasted long enough, grouped by cause. */
function fire(state: AlertState, draft: Draft, facts: AlertFacts, now: number, settings: AlertSettings): void {
  const due = [...state.pending.values()].filter(({ fireAt }) => fireAt <= now)
  const isGone = (one: Pending) => {
    const number = networkOf(one.object)
    if (!isWatched(settings, one.rule, one.object)) return true
    return number === null ? isAboutRouter(one) && !facts.routers.has(one.object) : !facts.networks.has(number)
  }
  for (const one of due) draft.pending.set(keyOf(one), null)
  const kept = due.filter((one) => !isGone(one) && !defer(draft, one, facts, now))
  for (const rule of new Set(kept.map((one) => one.rule))) {
    const same = kept.filter((one) => one.rule === rule).map((one) => withFacts(one, facts))
    const until = gatherUntil(state, same, now)
    if (until !== null) {
      for (const one of same) draft.pending.set(keyOf(one), { gatheredFrom: now, ...one, fireAt: until })
      continue
    }
    const { groups, waiting } = groupByCause(same, draft, facts)
    for (const one of same) {
      const fireAt = waiting.get(keyOf(one))
      if (fireAt !== undefined) draft.pending.set(keyOf(one), { ...one, fireAt: Math.max(fireAt, now + 1) })
    }
    for (const group of groups) openGroup(draft, group, { facts, now, settings })
  }
}

/** Puts off a member that is no centre until its own delay is over. */
function defer(draft: Draft, one: Pending, facts: AlertFacts, now: number): boolean {
  const fireAt = one.since + Math.max(one.needMs, ALERT.gatherMs)
  if (one.rule !== 'router_offline' || one.endedAt !== null || fireAt <= now || isCenter(one.object, facts))
    return false
  draft.pending.set(keyOf(one), { ...one, fireAt })
  return true
}

/** Time until which conditions of one rule are gathered into one alert; null when no other is due soon. */
function gatherUntil({ pending }: AlertState, due: readonly Pending[], now: number): number | null {
  const limit = Math.min(...due.map(({ gatheredFrom = now }) => gatheredFrom)) + ALERT.spreadMs
  const soon = [...pending.values()].filter(
    ({ rule, endedAt, fireAt }) => rule === due[0]?.rule && endedAt === null && fireAt > now && fireAt <= limit,
  )
  return soon.length === 0 ? null : Math.max(...soon.map(({ fireAt }) => fireAt))
}

function withFacts(one: Pending, { routers, networks }: AlertFacts): Pending {
  const [number = ''] = one.networks
  const network = networks.get(number)
  if (one.rule === 'pop_connect' && network) {
    const area = network.popAreas.get(one.object.slice(number.length + 1)) ?? ''
    // A pending condition of the previous release still names the node.
    return { ...one, label: `${network.name} · ${one.label.replace(/^POP节点[^（]*/u, () => `POP节点${area}`)}` }
  }
  if (networkOf(one.object) !== null) return { ...one, label: network?.name ?? number }
  const fact = routers.get(one.object)
  if (!fact) return one
  return { ...one, label: fact.note || one.object, networks: fact.networks.map(({ number }) => number) }
}

interface Opening {
  readonly facts: AlertFacts
  readonly now: number
  readonly settings: AlertSettings
}

function openGroup(draft: Draft, group: Group, { facts, now, settings }: Opening): void {
  const { root, members, alertId } = group
  const [first] = members.toSorted((a, b) => a.startedAt - b.startedAt)
  const about = root ?? first
  if (!about) return
  const suspected = root === null ? undefined : findSuspectedNetwork(draft, root, facts)
  if (suspected) return draft.put(foldMembers(draft, suspected, group, facts))
  const known = alertId === null ? undefined : draft.alert(alertId)
  const alert = known ?? createAlert(about, group, { facts, now, settings })
  const open = foldMembers(draft, alert, group, facts)
  if (known) return putGrown(draft, known, open, now, settings)
  const live = open.live - alert.live
  const ends = [root, ...members].flatMap((one) => one?.endedAt ?? [])
  const isOver = isInstant(about.rule) || (root === null ? live === 0 : root.endedAt !== null)
  const endedAt = isInstant(about.rule) ? about.startedAt : isOver ? Math.max(...ends) : null
  const names = members.map(({ label }) => label)
  announce(draft, { ...open, endedAt }, names, now, settings)
}

/** Makes members children of the alert, which counts them and names what it loses with them. */
function foldMembers(draft: Draft, alert: Alert, { root, members }: Group, facts: AlertFacts): Alert {
  const children = members.map((one) => toChild(one, alert.id, draft.returned(alert.id, keyOf(one))))
  for (const child of children) draft.children.set(keyOf(child), child)
  const objects = [root, ...members].flatMap((one) => one?.object ?? [])
  const serves = joinServed(alert.serves ?? [], listServed(objects, facts))
  const folded = {
    ...alert,
    folded: alert.folded + children.filter(({ times }) => times === undefined).length,
    times: (alert.times ?? alert.folded) + children.length,
    live: alert.live + members.filter(({ endedAt }) => endedAt === null).length,
    networks: [...new Set([...alert.networks, ...(root === null ? members.flatMap((one) => one.networks) : [])])],
    ...(serves.length > 0 && { serves }),
  }
  return withLoss(folded, draft, healthsOf(facts))
}

/** An alert that interrupts further networks is sent once more. */
function putGrown(draft: Draft, before: Alert, alert: Alert, now: number, settings: AlertSettings): void {
  draft.put(alert)
  if (!alert.isNotified || !hasGrown(before, alert) || mutedUntil(settings, alert, now) !== null) return
  const names = draft.childrenOf(alert.id).map(({ label }) => label)
  draft.notices.push(notice('reminder', alert, now, names))
}

function createAlert(about: Pending, { root, object, members }: Group, { facts, now, settings }: Opening): Alert {
  const isMany = root === null
  const setting = settings.rules[about.rule]
  const isLoss =
    about.rule === 'router_offline' &&
    [about, ...members].some(({ object: lost }) => isCenter(lost, facts) || networkOf(lost) !== null)
  return {
    id: `${now.toString(36)}.${about.rule}.${object}`,
    rule: about.rule,
    severity: isLoss && isDefaultRule(about.rule, setting) ? 'critical' : setting.severity,
    object,
    label: isMany ? '' : about.label,
    networks: isMany ? [] : about.networks,
    startedAt: about.startedAt,
    openedAt: now,
    endedAt: null,
    reason: about.reason,
    folded: 0,
    live: 0,
    ackBy: null,
    ackAt: null,
    isNotified: false,
    noticeAt: null,
    remindAt: null,
    escalateAt: null,
    ...(about.isSuspected && !isMany && { isSuspected: true }),
  }
}

/** `before`: the same object, which has come back while the alert lasted. */
function toChild(
  { rule, object, label, networks, startedAt, endedAt, reason, isSuspected = false }: Pending,
  alertId: string,
  before: Child | undefined,
): Child {
  const subject = { object, label, networks, ...(isSuspected && { isSuspected }) }
  const child = { ...subject, alertId, rule, startedAt, endedAt: isInstant(rule) ? startedAt : endedAt, reason }
  if (before === undefined) return child
  const earlier = [...(before.earlier ?? []), { startedAt: before.startedAt, endedAt: before.endedAt }]
  return { ...child, earlier: earlier.slice(-ALERT.absencesKept), times: (before.times ?? 1) + 1 }
}

/** Sends the first notice, or defers it to the end of a mute. An alert that has ended by then is not sent. */
function announce(draft: Draft, alert: Alert, children: readonly string[], now: number, settings: AlertSettings): void {
  const noticeAt = mutedUntil(settings, alert, now)
  if (noticeAt !== null) return draft.put({ ...alert, noticeAt: alert.endedAt === null ? noticeAt : null })
  const isOver = alert.endedAt !== null
  const sent: Alert = {
    ...alert,
    isNotified: true,
    noticeAt: null,
    remindAt: isOver || alert.ackBy !== null ? null : now + remindMs(alert.rule),
    escalateAt: isOver || alert.ackBy !== null || !settings.canEscalate ? null : now + ALERT.escalateMs,
  }
  draft.put(sent)
  draft.notices.push(notice(isOver && !isInstant(alert.rule) ? 'recovery' : 'open', sent, now, children))
}

/** Closes alerts of suspicions that nobody has confirmed. */
function closeCleared(state: AlertState, draft: Draft, now: number): void {
  for (const { id } of state.alerts.values()) {
    const alert = draft.alert(id)
    if (alert?.cleared && alert.cleared.closeAt <= now) recover(draft, alert, alert.cleared.at, now)
  }
}

function remind(state: AlertState, draft: Draft, now: number, settings: AlertSettings): void {
  for (const { id } of state.alerts.values()) {
    const alert = draft.alert(id)
    if (!alert) continue
    const names = () => draft.childrenOf(id).map(({ label }) => label)
    if (alert.noticeAt !== null) {
      if (alert.noticeAt <= now) announce(draft, alert, names(), now, settings)
      continue
    }
    const isReminderDue = alert.remindAt !== null && alert.remindAt <= now
    const isEscalationDue = alert.escalateAt !== null && alert.escalateAt <= now
    if (!isReminderDue && !isEscalationDue) continue
    const muted = mutedUntil(settings, alert, now)
    if (isReminderDue) {
      if (muted === null) draft.notices.push(notice('reminder', alert, now, names()))
      draft.put({ ...alert, remindAt: muted ?? now + remindMs(alert.rule) })
    }
    if (isEscalationDue) {
      if (muted === null) draft.notices.push(notice('escalation', alert, now, names()))
      draft.put({ ...(draft.alert(id) ?? alert), escalateAt: muted })
    }
  }
}

const notice = (kind: Notice['kind'], alert: Alert, at: number, children: readonly string[] = []): Notice => ({
  kind,
  at,
  alert,
  children,
})
