import { routerStates } from './schema/members.ts'

/** Columns of domain/router/presence.ts StateRow; null as a whole for a router that was never seen. */
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
