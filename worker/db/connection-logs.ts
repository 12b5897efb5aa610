import { type SQL, and, desc, eq, getTableColumns, gte, lte } from 'drizzle-orm'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from './client.ts'
import { as } from './columns.ts'
import { joinsMember } from './member-records.ts'
import { connectionLogs } from './schema/connection-logs.ts'
import { routers } from './schema/routers.ts'

interface Lines {
  /** Of which routers, in the caller's scope. */
  readonly of: SQL | undefined
  readonly from: number
  readonly to: number
}

/** Lines of the connection log with the notes of their routers, newest first, at most `HEALTH.eventsShown`. */
export const selectConnections = (db: Db, scope: Scope, { of, from, to }: Lines) =>
  db
    .select({
      router_name: as(connectionLogs.routerName, 'router_name'),
      note: routers.note,
      online: connectionLogs.online,
      epoch: connectionLogs.epoch,
      at: connectionLogs.at,
      reason: connectionLogs.reason,
    })
    .from(connectionLogs)
    .innerJoin(routers, joinsMember(db, scope, getTableColumns(connectionLogs)))
    .where(
      and(eq(connectionLogs.accountId, scope.accountId), gte(connectionLogs.at, from), lte(connectionLogs.at, to), of),
    )
    .orderBy(desc(connectionLogs.at), desc(connectionLogs.id))
    .limit(HEALTH.eventsShown)
