import { ALERT } from '#contract/monitor/alert.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { SILENT_WINDOW_MS } from '#domain/health/absence.ts'
import { groupByName } from '#domain/health/explain.ts'
import { type AlertFacts, MANY, type Pending, keyOf, siteObject, type Draft } from './state.ts'

/* Groups due alert conditions by cause: a lost centre explains its members, and many at once are one alert. */

/** Conditions of one alert. `root` is its subject; null for many conditions, whose subject is `object`. */
export interface Group {
  readonly root: Pending | null
  readonly object: string
  readonly members: readonly Pending[]
  /** Open alert that explains them; null: a new alert. */
  readonly alertId: string | null
}

interface Causes {
  readonly groups: readonly Group[]
  /** End of the wait of each condition whose cause may become an alert later. */
  readonly waiting: ReadonlyMap<string, number>
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= ALERT.causeMs
const comesFirst = (a: Pick<Pending, 'startedAt' | 'object'>, b: Pick<Pending, 'startedAt' | 'object'>): boolean =>
  a.startedAt < b.startedAt || (a.startedAt === b.startedAt && a.object < b.object)

/**
 * Groups due conditions of one rule. A centre that went offline within minutes explains the members of its networks. Many
 * conditions at once are one alert even without a common cause.
 */
export function groupByCause(due: readonly Pending[], draft: Draft, facts: AlertFacts): Causes {
  const waiting = new Map<string, number>()
  const byObject = new Map(due.map((one) => [one.object, one]))
  const known = new Map<string, Pending[]>() // by the open alert that explains them
  const roots = new Map<Pending, Pending[]>()
  for (const one of due) {
    const cause = findRoot(one, byObject, draft, facts)
    if (cause.waitsUntil !== null) waiting.set(keyOf(one), cause.waitsUntil)
    else if (cause.alertId !== null) add(known, cause.alertId, one)
    else if (cause.root === one) roots.set(one, roots.get(one) ?? [])
    else add(roots, cause.root, one)
  }
  const groups: Group[] = [...known].map(([alertId, members]) => ({ root: null, object: MANY, members, alertId }))
  const rest: Pending[] = []
  for (const [root, members] of roots) {
    const open = findMany(root, draft, facts)
    if (open === null) rest.push(root)
    else groups.push({ root: null, object: MANY, members: [root, ...members], alertId: open })
  }
  const sites = findSites(rest, facts)
  const others = rest.filter((root) => ![...sites.values()].some((members) => members.includes(root)))
  const isMany = others.length >= ALERT.manyMin && others[0]?.rule !== 'service_expired' // each is renewed by itself
  const many = [...sites, ...(isMany ? [[MANY, others] as const] : [])]
  for (const [object, some] of many) {
    const members = some.flatMap((root) => [root, ...(roots.get(root) ?? [])])
    groups.push({ root: null, object, members, alertId: null })
  }
  if (!isMany)
    for (const root of others) groups.push({ root, object: root.object, members: roots.get(root) ?? [], alertId: null })
  return { waiting, groups }
}

/** Members behind one public address that went together, by the subject of their alert. */
function findSites(roots: readonly Pending[], { routers }: AlertFacts): ReadonlyMap<string, readonly Pending[]> {
  const absent = roots.filter(({ rule }) => rule === 'router_offline')
  const sites = groupByName(absent, ({ object }) => [routers.get(object)?.site ?? ''].filter(Boolean))
  const isTogether = (members: readonly Pending[]) => {
    const times = members.map(({ startedAt }) => startedAt)
    return members.length >= HEALTH.causeSymptoms && Math.max(...times) - Math.min(...times) <= SILENT_WINDOW_MS
  }
  return new Map([...sites].flatMap(([site, members]) => (isTogether(members) ? [[siteObject(site), members]] : [])))
}

interface Cause {
  readonly root: Pending
  readonly alertId: string | null
  readonly waitsUntil: number | null
}

/** Follows centres of centres. In a circle of explanations the first centre is the cause. */
function findRoot(one: Pending, due: ReadonlyMap<string, Pending>, draft: Draft, facts: AlertFacts): Cause {
  const seen = new Set<Pending>([one])
  let at = one
  for (;;) {
    const next = findCenter(at, due, draft, facts)
    if (next === null) return { root: at, alertId: null, waitsUntil: null }
    if (typeof next === 'string') return { root: at, alertId: next, waitsUntil: null }
    if (!due.has(next.object)) return { root: at, alertId: null, waitsUntil: next.fireAt }
    if (seen.has(next)) {
      const root = [...seen].reduce((first, other) => (comesFirst(other, first) ? other : first))
      return { root, alertId: null, waitsUntil: null }
    }
    seen.add(next)
    at = next
  }
}

/** A centre that went offline at the same time: its pending condition, or the id of the open alert that covers it. */
function findCenter(
  one: Pending,
  due: ReadonlyMap<string, Pending>,
  draft: Draft,
  facts: AlertFacts,
): Pending | string | null {
  if (one.rule !== 'router_offline') return null
  for (const { name, isPeer } of findCenters(one.object, facts)) {
    const key = keyOf({ rule: one.rule, object: name })
    const alertId = findExplained(key, one, draft)
    if (alertId !== null) return alertId
    const pending = due.get(name) ?? draft.pendingOf(key)
    if (pending && isCause(pending, one) && (!isPeer || comesFirst(pending, one))) return pending
  }
  return null
}

/** Other centres of the router's networks. `isPeer`: the router is a centre there itself. */
function findCenters(routerName: string, { routers, networks }: AlertFacts) {
  const own = routers.get(routerName)?.networks ?? []
  return own.flatMap(({ number, isCenter }) =>
    (networks.get(number)?.centers ?? [])
      .filter((name) => name !== routerName)
      .map((name) => ({ name, isPeer: isCenter })),
  )
}

/** Open alert about a centre that went offline at that time, or the open alert that explains the centre. */
function findExplained(key: string, one: Pending, draft: Draft): string | null {
  const child = draft.child(key)
  if (child && isNear(child.startedAt, one.startedAt) && draft.alert(child.alertId)) return child.alertId
  const own = draft.own(key)
  return own && isNear(own.startedAt, one.startedAt) ? own.id : null
}

/** A condition that has ended explains only conditions that have ended too. */
const isCause = (center: Pending, one: Pending): boolean =>
  (center.endedAt === null || one.endedAt !== null) && isNear(center.startedAt, one.startedAt)

/** Open alert of many, of its site or of others, which began at that time. */
function findMany({ rule, object, startedAt }: Pending, draft: Draft, { routers }: AlertFacts): string | null {
  const site = routers.get(object)?.site ?? null
  for (const subject of [...(site === null ? [] : [siteObject(site)]), MANY]) {
    const own = draft.own(keyOf({ rule, object: subject }))
    if (own && isNear(own.startedAt, startedAt)) return own.id
  }
  return null
}

function add<K>(groups: Map<K, Pending[]>, key: K, one: Pending): void {
  const known = groups.get(key)
  if (known) known.push(one)
  else groups.set(key, [one])
}
