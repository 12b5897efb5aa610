import type { ConfigState, ConfigView, PresenceState, PresenceView } from '#contract/kernel/protocol.ts'

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
  readonly presence: PresenceState
  readonly presenceSince: number | null
  readonly presenceReason: string
  readonly live: 0 | 1
  readonly lastSeenAt: number | null
  readonly configState: ConfigState
  readonly configVersion: number
  readonly configAppliedVersion: number | null
  readonly configReason: string
  readonly configAt: number | null
  readonly configConfirmedAt: number | null
}

export function toPresenceView(row: StateRow | null): PresenceView {
  if (!row) return NEVER_SEEN
  return {
    state: row.presence,
    since: row.presenceSince,
    last_seen: row.lastSeenAt,
    reason: row.presenceReason,
    ...(row.presence === 'flapping' && { live: row.live === 1 }),
  }
}

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
