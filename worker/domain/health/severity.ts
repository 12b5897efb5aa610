import type { NetworkHealthState } from '#contract/kernel/health.ts'

/* Severity of members and networks, by which lists open: the higher, the worse. */

/** Of a member by the worst that is known of it. `resting`: an offline member that dials on demand. */
export const MEMBER_SEVERITY = {
  disabled: 0,
  never: 1,
  resting: 2,
  online: 3,
  reconnecting: 4,
  single_center: 5,
  config: 6,
  flapping: 7,
  unreadable: 8,
  offline: 9,
} as const

/** Of a network by its health. The hub stores it, but for the suspension, which the row of the network says. */
export const NETWORK_SEVERITY: Readonly<Record<NetworkHealthState, number>> = {
  never: 0,
  ok: 1,
  unknown: 2,
  partial: 3,
  suspended: 4,
  down: 5,
}
