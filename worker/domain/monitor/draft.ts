import type { Alert, AlertState, Change, Child, Notice, Pending } from './state.ts'
import { keyOf } from './state.ts'

/** Collects what a step writes, and reads through it: the state itself is not changed. */
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

  /** Undefined for one that is over. */
  alert(id: string): Alert | undefined {
    const found = this.alerts.get(id) ?? this.state.alerts.get(id)
    return found?.endedAt === null ? found : undefined
  }

  child(key: string): Child | undefined {
    const found = this.children.get(key) ?? this.state.children.get(key)
    return found?.endedAt === null ? found : undefined
  }

  /** Open alerts. */
  *open(): Generator<Alert> {
    for (const alert of this.state.alerts.values()) {
      const newest = this.alerts.get(alert.id) ?? alert
      if (newest.endedAt === null) yield newest
    }
    for (const alert of this.alerts.values())
      if (alert.endedAt === null && !this.state.alerts.has(alert.id)) yield alert
  }

  /** The open alert about that object alone. */
  own(key: string): Alert | undefined {
    for (const alert of this.open()) if (keyOf(alert) === key) return alert
    return undefined
  }

  /** Members of an open alert that are not over. */
  childrenOf(alertId: string): readonly Child[] {
    return [...this.liveChildren(alertId)]
  }

  private *liveChildren(alertId: string): Generator<Child> {
    for (const [key, child] of this.state.children)
      if (child.alertId === alertId && !this.children.has(key)) yield child
    for (const child of this.children.values()) if (child.alertId === alertId && child.endedAt === null) yield child
  }

  put(alert: Alert): void {
    this.alerts.set(alert.id, alert)
  }

  change(): Change {
    return { pending: this.pending, alerts: this.alerts, children: this.children, notices: this.notices }
  }
}

/** The state behind a change. */
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
  }
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
