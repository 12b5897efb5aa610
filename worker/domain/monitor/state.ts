import type { NetworkHealth } from '#contract/kernel/health.ts'
import type { Consequences } from '#domain/health/absence.ts'
import {
  type AlertRule,
  type NoticeKind,
  type RuleSetting,
  type Severity,
  isOfRouter,
} from '#contract/monitor/alert.ts'

/* Types of an account's alerts: pending conditions, alerts, notices; and the draft that collects one step's writes. */

export interface Subject {
  /**
   * Name of a router, `network/<number>` of a network whose links fail, `<network number>/<node>` of a POP connection,
   * `<id>:<end>` of a service; `site/<address>` for many behind one public address, '*' for many others at once.
   */
  readonly object: string
  readonly label: string
  /** Networks of the object. A limited role sees it if it covers one of them. */
  readonly networks: readonly string[]
}

export const MANY = '*'

const NETWORK = 'network/'
export const networkObject = (number: string): string => `${NETWORK}${number}`
/** Number of the network that is the subject; null for other subjects. */
export const networkOf = (object: string): string | null =>
  object.startsWith(NETWORK) ? object.slice(NETWORK.length) : null

const SITE = 'site/'
export const siteObject = (address: string): string => `${SITE}${address}`
/** Public address that the members of the subject share; null for other subjects. */
export const siteOfObject = (object: string): string | null =>
  object.startsWith(SITE) ? object.slice(SITE.length) : null

/** True for an alert of several members, which lasts as long as one of them is away. */
export const isOfMany = (object: string): boolean => object === MANY || siteOfObject(object) !== null

/** True if the subject is one member. */
export const isAboutRouter = ({ rule, object }: { readonly rule: AlertRule; readonly object: string }): boolean =>
  isOfRouter(rule) && !isOfMany(object) && networkOf(object) === null

/** A condition that has not lasted long enough for an alert, or has just done so. */
export interface Pending extends Subject {
  readonly rule: AlertRule
  /** Start that pages and notices show. */
  readonly startedAt: number
  /** Start of the measured duration. */
  readonly since: number
  /** Duration after which the alert opens. */
  readonly needMs: number
  readonly fireAt: number
  /** Start of the wait for other conditions that are due soon. */
  readonly gatheredFrom?: number
  /** End of a condition that lasted long enough and is reported late; null: it persists. */
  readonly endedAt: number | null
  readonly reason: string
  /** Its peers do not reach the centre; presence has not decided yet. */
  readonly isSuspected?: boolean
}

export interface Alert extends Subject {
  readonly id: string
  readonly rule: AlertRule
  readonly severity: Severity
  readonly startedAt: number
  readonly openedAt: number
  readonly endedAt: number | null
  readonly reason: string
  /** Number of folded objects, and of those that persist. */
  readonly folded: number
  readonly live: number
  /** Number of absences of the folded objects; absent in records of the release before. */
  readonly times?: number
  readonly ackBy: string | null
  readonly ackAt: number | null
  /** The first notice was sent; a muted alert has none. */
  readonly isNotified: boolean
  readonly noticeAt: number | null
  readonly remindAt: number | null
  readonly escalateAt: number | null
  /** Of a centre: not confirmed by presence yet. */
  readonly isSuspected?: boolean
  /** End of a suspicion that nobody has confirmed, and the time at which the alert then closes. */
  readonly cleared?: { readonly at: number; readonly closeAt: number } | null
  /** Networks that are interrupted or have lost redundancy with its centres. */
  readonly consequences?: Consequences
  /** Labels of the centres that interrupt networks together, in the order of their last contact; absent for one. */
  readonly centers?: readonly string[]
  /** Networks of its centres, for the consequences of later changes. */
  readonly serves?: readonly ServedNetwork[]
}

export interface ServedNetwork {
  readonly number: string
  readonly name: string
  readonly centers: readonly string[]
}

interface Absence {
  readonly startedAt: number
  readonly endedAt: number | null
}

/** An object that another alert explains, with its newest absence. */
export interface Child extends Omit<Pending, 'since' | 'needMs' | 'fireAt' | 'gatheredFrom'> {
  readonly alertId: string
  /** Earlier absences during the alert, oldest first, and the number of all. Absent for one absence. */
  readonly earlier?: readonly Absence[]
  readonly times?: number
}

/** Open alerts by id; their persisting children and pending conditions by key. */
export interface AlertState {
  readonly pending: ReadonlyMap<string, Pending>
  readonly alerts: ReadonlyMap<string, Alert>
  readonly children: ReadonlyMap<string, Child>
  /** Children of open alerts that have come back, by `returnedKey`. */
  readonly returned: ReadonlyMap<string, Child>
}

export const emptyAlerts: AlertState = {
  pending: new Map(),
  alerts: new Map(),
  children: new Map(),
  returned: new Map(),
}

export const keyOf = ({ rule, object }: { readonly rule: AlertRule; readonly object: string }): string =>
  `${rule} ${object}`

export const returnedKey = (alertId: string, key: string): string => `${alertId} ${key}`

/** A message for every channel. Its deliveries get the same ids each time it is made. */
export interface Notice {
  readonly kind: NoticeKind
  /** Time of the notice; it tells reminders apart. */
  readonly at: number
  readonly alert: Alert
  /** Folded objects of an alert that opens, for its text. */
  readonly children: readonly string[]
}

/** Writes of one step. */
export interface Change {
  /** Null: deleted. */
  readonly pending: ReadonlyMap<string, Pending | null>
  /** An alert that is over leaves the state and stays as a record. */
  readonly alerts: ReadonlyMap<string, Alert>
  readonly children: ReadonlyMap<string, Child>
  readonly notices: readonly Notice[]
}

export interface Mute {
  readonly kind: 'all' | 'router' | 'network'
  /** '' for kind `all`. */
  readonly target: string
  readonly until: number
}

export interface AlertSettings {
  readonly enable: boolean
  readonly rules: Readonly<Record<AlertRule, RuleSetting>>
  /** Null: all members, also future ones. */
  readonly routers: readonly string[] | null
  readonly mutes: readonly Mute[]
  /** The account has further contacts for alerts that nobody acknowledges. */
  readonly canEscalate: boolean
}

export interface AlertFacts {
  readonly routers: ReadonlyMap<string, RouterFact>
  readonly networks: ReadonlyMap<string, NetworkFact>
}
export interface RouterFact {
  readonly note: string
  /** Public address that it may share with others. */
  readonly site?: string | null
  readonly networks: readonly { readonly number: string; readonly isCenter: boolean }[]
}
export interface NetworkFact {
  readonly name: string
  readonly centers: readonly string[]
  readonly points: number
  /** Health by its hub; absent before the first report. */
  readonly health?: Pick<NetworkHealth, 'state' | 'single_center'>
  /** Areas of the POP nodes that carry it, by node name. */
  readonly popAreas: ReadonlyMap<string, string>
}

/** State of a router or another object, found at a time. */
export interface Condition extends Subject {
  readonly rule: AlertRule
  readonly isBad: boolean
  readonly at: number
  /** Start that pages and notices show, if it is another: the last contact. */
  readonly startedAt?: number
  readonly reason: string
  readonly isSuspected?: boolean
}

export type AlertEvent =
  | ({ readonly type: 'condition' } & Condition)
  | { readonly type: 'tick'; readonly facts: AlertFacts }
  | { readonly type: 'acknowledge'; readonly alertId: string; readonly by: string }
  /** The health of networks has changed. */
  | { readonly type: 'health'; readonly healths: ReadonlyMap<string, Pick<NetworkHealth, 'state' | 'single_center'>> }
  /** Settings or mutes have changed. */
  | { readonly type: 'settings' }

/** Collects the writes of a step and reads through them. The state itself is not changed. */
export class Draft {
  readonly pending = new Map<string, Pending | null>()
  readonly alerts = new Map<string, Alert>()
  readonly children = new Map<string, Child>()
  readonly notices: Notice[] = []
  private readonly state: AlertState

  constructor(state: AlertState) {
    this.state = state
  }

  pendingOf(key: string): Pending | undefined {
    const written = this.pending.get(key)
    return written === undefined ? this.state.pending.get(key) : (written ?? undefined)
  }

  /** Undefined for an alert that is over. */
  alert(id: string): Alert | undefined {
    const found = this.alerts.get(id) ?? this.state.alerts.get(id)
    return found?.endedAt === null ? found : undefined
  }

  child(key: string): Child | undefined {
    const found = this.children.get(key) ?? this.state.children.get(key)
    return found?.endedAt === null ? found : undefined
  }

  /** A child of the alert that has come back. */
  returned(alertId: string, key: string): Child | undefined {
    return this.state.returned.get(returnedKey(alertId, key))
  }

  *open(): Generator<Alert> {
    for (const alert of this.state.alerts.values()) {
      const newest = this.alerts.get(alert.id) ?? alert
      if (newest.endedAt === null) yield newest
    }
    for (const alert of this.alerts.values())
      if (alert.endedAt === null && !this.state.alerts.has(alert.id)) yield alert
  }

  /** Open alert with this object as its subject. */
  own(key: string): Alert | undefined {
    for (const alert of this.open()) if (keyOf(alert) === key) return alert
    return undefined
  }

  /** Persisting children of an open alert. */
  childrenOf(alertId: string): readonly Child[] {
    const unwritten = [...this.state.children].flatMap(([key, child]) => (this.children.has(key) ? [] : [child]))
    const isLive = (child: Child) => child.alertId === alertId && child.endedAt === null
    return [...unwritten, ...this.children.values()].filter(isLive)
  }

  put(alert: Alert): void {
    this.alerts.set(alert.id, alert)
  }

  change(): Change {
    return { pending: this.pending, alerts: this.alerts, children: this.children, notices: this.notices }
  }
}

export function applyChange(state: AlertState, change: Change): AlertState {
  const pending = new Map(state.pending)
  for (const [key, value] of change.pending) {
    if (value === null) pending.delete(key)
    else pending.set(key, value)
  }
  return {
    pending,
    alerts: applyOpen(state.alerts, change.alerts),
    children: applyOpen(state.children, change.children),
    returned: applyReturned(state.returned, change),
  }
}

function applyReturned(before: AlertState['returned'], { alerts, children }: Change): AlertState['returned'] {
  if (alerts.size + children.size === 0) return before
  const over = new Set([...alerts.values()].flatMap(({ id, endedAt }) => (endedAt === null ? [] : [id])))
  const after = new Map(before)
  for (const [key, child] of children) {
    if (child.endedAt === null) after.delete(returnedKey(child.alertId, key))
    else after.set(returnedKey(child.alertId, key), child)
  }
  if (over.size > 0) for (const [key, { alertId }] of after) if (over.has(alertId)) after.delete(key)
  return after
}

function applyOpen<T extends { readonly endedAt: number | null }>(
  before: ReadonlyMap<string, T>,
  written: ReadonlyMap<string, T>,
): ReadonlyMap<string, T> {
  if (written.size === 0) return before
  const after = new Map(before)
  for (const [key, value] of written) {
    if (value.endedAt === null) after.set(key, value)
    else after.delete(key)
  }
  return after
}

export const isNothing = ({ pending, alerts, children, notices }: Change): boolean =>
  pending.size + alerts.size + children.size + notices.length === 0
