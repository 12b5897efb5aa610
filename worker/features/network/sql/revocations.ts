import { sql } from 'drizzle-orm'
import { idList } from '#db/columns.ts'
import { type OutboxContext, notifyHubsFrom } from '#db/hub-outbox.ts'

/* Statements that revoke certificates of routers in the networks that these are in. */

/**
 * Revokes all valid certificates of routers that are deleted, get another device or lose their key, and refreshes the other
 * members that run the tunnels of the same networks. They precede the statements that delete memberships or states.
 */
export function revokeCertificates(ctx: OutboxContext, accountId: number, routerIds: readonly number[]) {
  if (routerIds.length === 0) return {}
  const { db, now } = ctx
  const valid = sql`certificates c join network_members own on own.router_id = c.router_id and own.account_id = c.account_id
    where c.account_id = ${accountId} and c.router_id in (${idList(routerIds)}) and c.revoked_at is null
      and c.expires_at > ${now}`
  return {
    revokedMembers: notifyHubsFrom(
      ctx,
      sql`select 'router' as kind, r.hub as hub from routers r join router_states s on s.router_id = r.id and s.vpn = 1
        where r.id not in (${idList(routerIds)}) and r.id in (
          select m.router_id from network_members m where m.account_id = ${accountId}
            and m.network_id in (select own.network_id from ${valid}))`,
    ),
    revocations: db.run(sql`
      insert into revocations (account_id, network_id, serial, revoked_at, expires_at)
      select ${accountId}, own.network_id, c.serial, ${now}, c.expires_at from ${valid}
      on conflict (network_id, serial) do nothing`),
    certificates: db.run(sql`
      update certificates set revoked_at = ${now}, router_id = null
      where account_id = ${accountId} and router_id in (${idList(routerIds)}) and revoked_at is null`),
  }
}
