import { eq, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { accounts } from '#db/schema/accounts.ts'
import { networks } from '#db/schema/networks.ts'
import { routers } from '#db/schema/routers.ts'
import { type RouterKey, updateRouter } from './routers.ts'

/* Statements that give a router another hub. */

/** A router of any account with its hub, and the hubs of the networks that it is in or carries. */
export const selectHubsOfRouter = (db: Db, name: string) => ({
  routers: db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      name: routers.name,
      routerType: routers.routerType,
      hub: routers.hub,
      accountHub: as(accounts.hub, 'account_hub'),
    })
    .from(routers)
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .where(eq(routers.name, name)),
  networks: db
    .select({ hub: networks.hub })
    .from(networks)
    .where(
      sql`${networks.id} in (select m.network_id from network_members m join routers r on r.id = m.router_id where r.name = ${name}
        union select p.network_id from pop_members p join routers r on r.id = p.router_id where r.name = ${name})`,
    ),
})

/** Logs go on under the router's own key, which rows of earlier releases have by their first hub. */
export const updateHub = (db: Db, router: RouterKey & { readonly hub: HubName }, hub: HubName) =>
  updateRouter(db, router, { hub, movedFrom: router.hub, uid: sql`coalesce(${routers.uid}, ${routers.hub})` })
