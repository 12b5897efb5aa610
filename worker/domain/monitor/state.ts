import type { AlertRule, NoticeKind, RuleSetting, Severity } from '#contract/monitor/alert.ts'

/** Object of an alert. */
export interface Subject {
  /** Name of a router, `<network number>/<node>` of a POP connection, `<id>:<end>` of a service; '*' for many at once. */
  readonly object: string
  /** Display name. */
  readonly label: string
  /** Networks whose roles see it. */
  readonly networks: readonly string[]
}

export const MANY = '*'

/** A condition that does not last long enough yet, or has just done so. */
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
  /** It lasted long enough and is over: reported late. */
  readonly endedAt: number | null
  readonly reason: string
}

export interface Alert extends Subject {
  readonly id: string
  readonly rule: AlertRule
  readonly severity: Severity
  readonly startedAt: number
  readonly openedAt: number
  readonly endedAt: number | null
  readonly reason: string
  /** Folded objects: in all, and those that are not over. */
  readonly folded: number
  readonly live: number
  readonly ackBy: string | null
  readonly ackAt: number | null
  /** The first notice was sent; one that is muted has none. */
  readonly isNotified: boolean
  readonly noticeAt: number | null
  readonly remindAt: number | null
  readonly escalateAt: number | null
}

/** An object that another alert explains. */
export interface Child extends Subject {
  readonly alertId: string
  readonly rule: AlertRule
  readonly startedAt: number
  readonly endedAt: number | null
  readonly reason: string
}

/** Open alerts by id, their children that are not over and pending conditions by key. */
export interface AlertState {
  readonly pending: ReadonlyMap<string, Pending>
  readonly alerts: ReadonlyMap<string, Alert>
  readonly children: ReadonlyMap<string, Child>
}

export const emptyAlerts: AlertState = { pending: new Map(), alerts: new Map(), children: new Map() }

export const keyOf = ({ rule, object }: { readonly rule: AlertRule; readonly object: string }): string =>
  `${rule} ${object}`

/** Something to be sent on every channel. Its id is the same however often it is made or sent. */
export interface Notice {
  readonly kind: NoticeKind
  /** Counts reminders. */
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
  /** '' of all. */
  readonly target: string
  readonly until: number
}

export interface AlertSettings {
  readonly enable: boolean
  readonly rules: Readonly<Record<AlertRule, RuleSetting>>
  /** Null: all members, with those to come. */
  readonly routers: readonly string[] | null
  readonly mutes: readonly Mute[]
  /** There are further contacts for alerts that nobody acknowledges. */
  readonly canEscalate: boolean
}

/** Stored facts about the objects that are due. */
export interface AlertFacts {
  readonly routers: ReadonlyMap<string, RouterFact>
  readonly networks: ReadonlyMap<string, NetworkFact>
}
export interface RouterFact {
  readonly note: string
  readonly networks: readonly { readonly number: string; readonly isCenter: boolean }[]
}
export interface NetworkFact {
  readonly name: string
  readonly centers: readonly string[]
  readonly points: number
  /** Areas of the nodes that carry it. */
  readonly popAreas: ReadonlyMap<string, string>
}

/** Presence of a router, or another condition, as it was found at a time. */
export interface Condition extends Subject {
  readonly rule: AlertRule
  readonly isBad: boolean
  readonly at: number
  readonly reason: string
}

export type AlertEvent =
  | ({ readonly type: 'condition' } & Condition)
  | { readonly type: 'tick'; readonly facts: AlertFacts }
  | { readonly type: 'acknowledge'; readonly alertId: string; readonly by: string }
  /** Settings or mutes have changed. */
  | { readonly type: 'settings' }
