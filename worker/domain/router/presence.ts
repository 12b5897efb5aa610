import type { ConfigState, ConfigView, PresenceState, PresenceView } from '#contract/kernel/protocol.ts'
import { UNREADABLE_REASON } from '#contract/kernel/states.ts'
import { AGENT, PRESENCE } from '#contract/kernel/hub-limits.ts'

/* Presence and configuration of a member: views, order by urgency, and the spread of a restart. */

export const NEVER_SEEN: PresenceView = { state: 'never', since: null, last_seen: null, reason: '' }
export const noConfig: ConfigView = { state: 'none', version: 0, applied_version: null, reason: '', at: null }

/** State of a member without a connection that was disabled or enabled at `now`. */
export function stateOfStatus(
  status: 0 | 1,
  { lastSeenAt, now }: { readonly lastSeenAt: number | null; readonly now: number },
): { readonly presence: 'disabled' | 'never' | 'offline'; readonly since: number | null } {
  if (status === 0) return { presence: 'disabled', since: now }
  return lastSeenAt === null ? { presence: 'never', since: null } : { presence: 'offline', since: now }
}

/** Presence and configuration columns of router_states; a router without a row was never online. */
export interface StateRow {
  readonly presence: Exclude<PresenceState, 'unreadable'>
  readonly presenceSince: number | null
  readonly presenceReason: string
  readonly live: 0 | 1
  readonly lastSeenAt: number | null
  /** Start of the time in which the hub has not answered; null: it answers. */
  readonly unreadableSince: number | null
  readonly configState: ConfigState
  readonly configVersion: number
  readonly configAppliedVersion: number | null
  readonly configReason: string
  readonly configAt: number | null
  readonly configConfirmedAt: number | null
}

export function toPresenceView(row: StateRow | null): PresenceView {
  if (!row) return NEVER_SEEN
  if (row.unreadableSince !== null) return unreadableView(row.unreadableSince)
  return {
    state: row.presence,
    since: row.presenceSince,
    last_seen: row.lastSeenAt,
    reason: row.presenceReason,
    ...(row.presence === 'flapping' && { live: row.live === 1 }),
  }
}

/** Until then the device counted as present. */
const unreadableView = (since: number): PresenceView => ({
  state: 'unreadable',
  since,
  last_seen: since,
  reason: UNREADABLE_REASON,
})

export function toConfigView(row: StateRow | null): ConfigView {
  if (!row) return noConfig
  return {
    state: row.configState,
    version: row.configVersion,
    applied_version: row.configAppliedVersion,
    reason: row.configReason,
    at: row.configAt,
    ...(row.configState !== 'applied' && row.configConfirmedAt !== null && { confirmed_at: row.configConfirmedAt }),
  }
}

/** Sort weight of a configuration by urgency. */
export const CONFIG_WEIGHT: Readonly<Record<ConfigState, number>> = {
  none: 0,
  applied: 1,
  queued: 2,
  pushing: 3,
  unsynced: 4,
  reverted: 5,
  failed: 6,
}

/** Bounds of `spread_s`. A device that came back later would be shown as offline (离线) meanwhile. */
const RESTART_SPREAD_MS = { min: AGENT.cutRetryMs, max: PRESENCE.leaseMs - PRESENCE.graceMs } as const

/** Limits the requested time over which devices reconnect after a restart. */
export const boundSpread = (ms: number): number => Math.min(Math.max(ms, RESTART_SPREAD_MS.min), RESTART_SPREAD_MS.max)

/** The operator's RESTART_SPREAD_S, in seconds; the default if it is unset or no number. */
export function toRestartSpreadMs(seconds: string | undefined): number {
  const asked = seconds === undefined || seconds.trim() === '' ? Number.NaN : Number(seconds)
  return Number.isFinite(asked) ? boundSpread(asked * 1000) : PRESENCE.restartSpreadMs
}

/** True for a valid RESTART_SPREAD_S. Unset means the default. */
export const isRestartSpread = (value: unknown): boolean =>
  value === undefined || toRestartSpreadMs(String(value)) === 1000 * Number(value)
