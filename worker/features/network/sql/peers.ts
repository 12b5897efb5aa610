import { type SQL, sql } from 'drizzle-orm'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { type OutboxContext, refreshRouters } from '#db/hub-outbox.ts'

/* SQL of routers whose documents name another router, by the reason for which they do. */

/** Condition that an id is among the peers, joined by `or`: D1 takes only five terms of a compound select. */
export const isOneOfPeers = (id: SQL, peers: readonly SQL[]): SQL =>
  sql`(${sql.join(
    peers.map((ids) => sql`${id} in (${ids})`),
    sql` or `,
  )})`

/** Members of the router's networks for which the condition holds. */
const selectBeside = (own: SQL, condition: SQL): SQL =>
  sql`select other.router_id from network_members own join network_members other on other.network_id = own.network_id
    where own.router_id in (${own}) and ${condition}`

const selectLinked = (own: SQL): SQL =>
  sql`select client_id from point_links where server_id in (${own})
    union all select server_id from point_links where client_id in (${own})`

/** Points of a centre, its twin, members of a node and the nodes that it reaches, other ends of links. */
export const selectDialling = (own: SQL): SQL[] => [
  selectBeside(own, sql`own.member_type = 'center' and other.member_type = 'point'`),
  selectBeside(
    own,
    sql`own.member_type = 'center' and other.member_type = 'center' and other.router_id <> own.router_id
      and exists (select 1 from network_settings s
        where s.network_id = own.network_id and s.setting = 'center_link' and s.value ->> 'enable' = 1)`,
  ),
  selectLinked(own),
  sql`select s.router_id from pop_members p join member_settings s on s.network_id = p.network_id and s.setting = 'ov'
    and p.area_id in (s.value ->> 'main', s.value ->> 'backup') where p.router_id in (${own})`,
  sql`select o.router_id from pop_members p join pop_members o on o.network_id = p.network_id
    and o.router_id <> p.router_id where p.router_id in (${own})`,
]

/** The router itself, its centres and nodes, other ends of links. */
export const selectReaching = (own: SQL): SQL[] => [
  selectBeside(own, sql`(other.router_id = own.router_id or other.member_type = 'center')`),
  selectLinked(own),
  sql`select p.router_id from network_members m join pop_members p on p.network_id = m.network_id
    where m.router_id in (${own})`,
]

/** Refreshes the routers that dial a router. */
export const refreshDialling = (ctx: OutboxContext, routerId: number) =>
  refreshRouters(
    ctx,
    sql`select id from routers where router_type = ${ROUTER_TYPE.hardware} and ${isOneOfPeers(sql`id`, selectDialling(sql`${routerId}`))}`,
  )

/** Refreshes all other routers whose documents name a router. */
export function refreshPeers(ctx: OutboxContext, routerId: number) {
  const own = sql`${routerId}`
  return refreshRouters(
    ctx,
    sql`select id from routers where router_type = ${ROUTER_TYPE.hardware} and id <> ${own}
      and ${isOneOfPeers(sql`id`, [...selectDialling(own), ...selectReaching(own)])}`,
  )
}
