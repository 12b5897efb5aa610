import { routerStates } from './schema/members.ts'

/** Columns of router_states behind a member's presence and configuration views (domain/router/presence.ts). */
export const stateColumns = {
  presence: routerStates.presence,
  presenceSince: routerStates.presenceSince,
  presenceReason: routerStates.presenceReason,
  lastSeenAt: routerStates.lastSeenAt,
  configState: routerStates.configState,
  configVersion: routerStates.configVersion,
  configAppliedVersion: routerStates.configAppliedVersion,
  configReason: routerStates.configReason,
  configAt: routerStates.configAt,
}
