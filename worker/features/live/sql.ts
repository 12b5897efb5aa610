import { and, eq, isNull } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { as } from '#db/columns.ts'
import type { Db } from '#db/client.ts'
import { accounts, sessions } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { networkScope, routerScope } from '#db/scope.ts'
import type { Scope } from '#contract/kernel/session.ts'

/* Statements that find the hub which a live socket watches. */

/** Hub to watch, and the account's hub, which registers the watcher. */
export interface WatchTarget {
  readonly hub: HubName
  readonly accountHub: HubName
}

const accountHub = as(accounts.hub, 'account_hub')

/** Member that the caller may see. Only a device can be watched, because software members keep no socket. */
export const selectWatchableRouter = (db: Db, scope: Scope, routerName: string) =>
  db
    .select({ hub: routers.hub, accountHub, routerType: routers.routerType })
    .from(routers)
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .where(and(routerScope(db, scope), eq(routers.name, routerName)))

export const selectWatchableNetwork = (db: Db, scope: Scope, networkNumber: string) =>
  db
    .select({ hub: networks.hub, accountHub })
    .from(networks)
    .innerJoin(accounts, eq(accounts.id, networks.accountId))
    .where(and(networkScope(scope), eq(networks.number, networkNumber)))

export const selectAccount = (db: Db, { accountId }: Scope) =>
  db.select({ hub: accounts.hub, accountHub }).from(accounts).where(eq(accounts.id, accountId))

/** True if the session is open. Only for the legacy call, whose token is in the query: the usual check does not see it. */
export async function isSessionOpen(db: Db, { id, version }: { id: string; version: number }): Promise<boolean> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.version, version), isNull(sessions.endedAt)))
  return rows.length > 0
}
