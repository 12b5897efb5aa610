import { type SQL, and, eq, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { routers } from './schema/members.ts'
import { networkMembers } from './schema/networks.ts'

/** Members of all networks of the account that have a router `r` for which the condition holds. */
export const selectMembersWith = (db: Db, accountId: number, condition: SQL) =>
  db
    .select({
      networkId: networkMembers.networkId,
      routerId: networkMembers.routerId,
      memberType: networkMembers.memberType,
      routerType: routers.routerType,
      hub: routers.hub,
    })
    .from(networkMembers)
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .where(
      and(
        eq(networkMembers.accountId, accountId),
        sql`${networkMembers.networkId} in (
          select m.network_id from network_members m join routers r on r.id = m.router_id
          where m.account_id = ${accountId} and ${condition})`,
      ),
    )
