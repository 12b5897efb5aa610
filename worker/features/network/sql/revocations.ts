import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { idList } from '#db/columns.ts'
import { type OutboxContext, notifyHubsFrom } from '#db/hub-outbox.ts'

/* Statements that revoke certificates of routers in the networks that these are in, or carry as nodes. */

/** Networks of a certificate's account that its router `c.router_id` is in or carries. */
const isOfRouter = sql`n.account_id = c.account_id and n.id in (
  select m.network_id from network_members m where m.router_id = c.router_id
  union select p.network_id from pop_members p where p.router_id = c.router_id)`

/**
 * Revokes all valid certificates of routers that are deleted, get another device or lose their key, also those by authorities
 * of customers, and refreshes the other devices that run the tunnels of the same networks. They precede the statements that
 * delete memberships or states. @param accountId of the routers.
 */
export function revokeCertificates(ctx: OutboxContext, accountId: number, routerIds: readonly number[]) {
  if (routerIds.length === 0) return {}
  const { db, now } = ctx
  const own = sql`select id from routers where account_id = ${accountId} and id in (${idList(routerIds)})`
  const valid = sql`certificates c join networks n on ${isOfRouter}
    where c.router_id in (${own}) and c.revoked_at is null and c.expires_at > ${now}`
  const revoking = sql`select n.id from ${valid}`
  return {
    revokedMembers: notifyHubsFrom(
      ctx,
      sql`select 'router' as kind, r.hub as hub from routers r join router_states s on s.router_id = r.id and s.vpn = 1
        where r.id not in (${idList(routerIds)}) and r.id in (
          select m.router_id from network_members m where m.network_id in (${revoking})
          union select p.router_id from pop_members p where p.network_id in (${revoking}))`,
    ),
    revocations: db.run(sql`
      insert into revocations (account_id, network_id, serial, revoked_at, expires_at)
      select n.account_id, n.id, c.serial, ${now}, c.expires_at from ${valid}
      on conflict (network_id, serial) do nothing`),
    certificates: db.run(sql`
      update certificates set revoked_at = ${now}, router_id = null where router_id in (${own}) and revoked_at is null`),
  }
}

/**
 * Revokes the certificates of nodes by the accounts whose last network leaves them. They precede the statement that takes the
 * networks off. @param networkIds selects ids. @param stayingIds nodes that carry the network again.
 */
export function revokeLeft(db: Db, networkIds: SQL, now: number, stayingIds: readonly number[] = []) {
  const left = sql`pop_members p where p.network_id in (${networkIds}) and p.router_id not in (${idList(stayingIds)})
    and not exists (select 1 from pop_members o where o.router_id = p.router_id and o.account_id = p.account_id
      and o.network_id not in (${networkIds}))`
  const valid = sql`(select * from ${left}) p join certificates c on c.router_id = p.router_id
    and c.account_id = p.account_id where c.revoked_at is null and c.expires_at > ${now}`
  return {
    leftRevocations: db.run(sql`
      insert into revocations (account_id, network_id, serial, revoked_at, expires_at)
      select p.account_id, p.network_id, c.serial, ${now}, c.expires_at from ${valid}
      on conflict (network_id, serial) do nothing`),
    leftCertificates: db.run(sql`
      update certificates set revoked_at = ${now}, router_id = null where id in (select c.id from ${valid})`),
  }
}
