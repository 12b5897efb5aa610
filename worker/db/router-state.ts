import { type SQL, sql } from 'drizzle-orm'
import { routerStates } from './schema/members.ts'

/** Columns of router_states behind a member's presence and configuration views (domain/router/presence.ts). */
export const stateColumns = {
  presence: routerStates.presence,
  presenceSince: routerStates.presenceSince,
  presenceReason: routerStates.presenceReason,
  live: routerStates.live,
  lastSeenAt: routerStates.lastSeenAt,
  configState: routerStates.configState,
  configVersion: routerStates.configVersion,
  configAppliedVersion: routerStates.configAppliedVersion,
  configReason: routerStates.configReason,
  configAt: routerStates.configAt,
}

/** isOnline of domain/health/member.ts; null for a router that was never seen. */
export const onlineSql: SQL = sql`(${routerStates.presence} in ('online', 'reconnecting')
  or (${routerStates.presence} = 'flapping' and ${routerStates.live} = 1))`
