import type { ConfigState, PresenceState } from '#contract/kernel/protocol.ts'

/** Sort weight of a state by urgency. A member that never came is no fault. */
export const PRESENCE_WEIGHT: Readonly<Record<PresenceState, number>> = {
  disabled: 0,
  never: 1,
  online: 2,
  reconnecting: 3,
  flapping: 4,
  offline: 5,
}
export const CONFIG_WEIGHT: Readonly<Record<ConfigState, number>> = {
  none: 0,
  applied: 1,
  queued: 2,
  pushing: 3,
  unsynced: 4,
  reverted: 5,
  failed: 6,
}
