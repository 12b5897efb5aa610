import { type SQL, count, eq, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { routerStates } from './schema/members.ts'
import { networkMembers, networks } from './schema/networks.ts'

/** How many members of each network are in each state; one without a state row was never seen. */
export const selectNetworkStates = (db: Db, condition: SQL | undefined) =>
  db
    .select({
      number: networks.number,
      presence: sql<
        NonNullable<typeof routerStates.$inferSelect.presence>
      >`coalesce(${routerStates.presence}, 'never')`.as('state'),
      count: count().as('members'),
    })
    .from(networks)
    .innerJoin(networkMembers, eq(networkMembers.networkId, networks.id))
    .leftJoin(routerStates, eq(routerStates.routerId, networkMembers.routerId))
    .where(condition)
    .groupBy(networks.number, sql`coalesce(${routerStates.presence}, 'never')`)
