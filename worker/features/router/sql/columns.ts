import { type SQL, sql, type Column } from 'drizzle-orm'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import { routerStates } from '#db/schema/routers.ts'

/* SQL columns of routers and their states that statements of many features share. */

/** Columns of router_states for a member's presence and configuration views (domain/router/presence.ts). */
export const stateColumns = {
  presence: routerStates.presence,
  presenceSince: routerStates.presenceSince,
  presenceReason: routerStates.presenceReason,
  live: routerStates.live,
  lastSeenAt: routerStates.lastSeenAt,
  unreadableSince: routerStates.unreadableSince,
  configState: routerStates.configState,
  configVersion: routerStates.configVersion,
  configAppliedVersion: routerStates.configAppliedVersion,
  configReason: routerStates.configReason,
  configAt: routerStates.configAt,
  configConfirmedAt: routerStates.configConfirmedAt,
}

/** Presence as it is shown (`toPresenceView`). A router without a state row was never seen. */
export const presenceSql = sql<PresenceState>`iif(${routerStates.unreadableSince} is null,
  coalesce(${routerStates.presence}, 'never'), 'unreadable')`

/** `isOnline` of domain/health/member.ts in SQL; null for a router that was never seen. */
export const onlineSql: SQL = sql`(${routerStates.unreadableSince} is null
  and (${routerStates.presence} in ('online', 'reconnecting')
    or (${routerStates.presence} = 'flapping' and ${routerStates.live} = 1)))`

/** LANs that a device reports, as `["10.0.0.1/24", …]`; null before the first report. */
export const lanList = sql<string | null>`(select json_group_array(e.value ->> 'ip' || '/' || (e.value ->> 'mask'))
    from json_each(${routerStates.interfaces}) e where e.value ->> 'role' = 'lan' and e.value ->> 'ip' <> '')`

/** Those of `lanList` whose port is down. */
export const downLanList = sql<string>`(select json_group_array(e.value ->> 'ip' || '/' || (e.value ->> 'mask'))
    from json_each(${routerStates.interfaces}) e
    where e.value ->> 'role' = 'lan' and e.value ->> 'ip' <> '' and e.value ->> 'up' = 0)`

/** LAN and WAN segments that a device reports, as `["lan 10.0.0.1/24", …]`, without the rest of its interfaces. */
export const segmentList = sql<string>`(select json_group_array(e.value ->> 'role' || ' ' || (e.value ->> 'ip') || '/' || (e.value ->> 'mask'))
    from json_each(${routerStates.interfaces}) e where e.value ->> 'role' in ('lan', 'wan') and e.value ->> 'ip' <> '')`

/** Names of routers, or a subquery that selects them. */
export type RouterNames = readonly string[] | readonly [SQL]

export const namedBy = (column: SQL | Column, [first, ...others]: RouterNames): SQL =>
  typeof first === 'object'
    ? sql`${column} in ${first}`
    : sql`${column} in (select value from json_each(${JSON.stringify(first === undefined ? [] : [first, ...others])}))`
