import { and, eq, or, sql } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { type NetworkKey, isIn } from './settings.ts'
import { type RouterNames, namedBy } from '#features/router/sql/names.ts'
import { networks } from '#db/schema/networks.ts'
import { pointLinks } from '#db/schema/settings.ts'
import { networkScope } from '#db/scope.ts'

/** Point links of a network in the caller's scope. */
export const selectPointLinks = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      serverId: pointLinks.serverId,
      clientId: pointLinks.clientId,
      gateway: pointLinks.gateway,
      mask: pointLinks.mask,
      staticPort: pointLinks.staticPort,
      port: pointLinks.port,
    })
    .from(pointLinks)
    .innerJoin(networks, eq(networks.id, pointLinks.networkId))
    .where(and(networkScope(scope), eq(networks.number, number)))
    .orderBy(pointLinks.id)

interface NewLink {
  readonly serverId: number
  readonly clientId: number
  readonly gateway: string
  readonly mask: number
  readonly staticPort: number | null
  readonly port: number
}

/** A list as one bound value: a statement of D1 takes 100. */
export const insertPointLinks = (
  db: Db,
  { accountId, id }: NetworkKey & { readonly id: number },
  links: readonly NewLink[],
) =>
  links.length > 0 &&
  db.run(sql`
    insert into point_links (account_id, network_id, server_id, client_id, gateway, mask, static_port, port)
    select ${accountId}, ${id}, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5
    from json_each(${JSON.stringify(
      links.map((link) => [link.serverId, link.clientId, link.gateway, link.mask, link.staticPort, link.port]),
    )}) e`)

/** All links that have one of these members at an end. */
export const deletePointLinks = (db: Db, key: NetworkKey, routerIds: readonly number[]) =>
  routerIds.length > 0 &&
  db
    .delete(pointLinks)
    .where(
      and(isIn(pointLinks, key), or(isOneOf(pointLinks.serverId, routerIds), isOneOf(pointLinks.clientId, routerIds))),
    )

/** As a document is compiled from them. */
export const pointLinkColumns = {
  networkId: pointLinks.networkId,
  serverId: pointLinks.serverId,
  clientId: pointLinks.clientId,
  gateway: pointLinks.gateway,
  mask: pointLinks.mask,
  port: pointLinks.port,
}

/** All links of these routers. */
export const selectLinksOfRouters = (db: Db, accountId: number, names: RouterNames) => {
  const ids = sql`(select id from routers where account_id = ${accountId}
    and ${namedBy(sql`name`, names)})`
  return db
    .select(pointLinkColumns)
    .from(pointLinks)
    .where(
      and(
        eq(pointLinks.accountId, accountId),
        sql`(${pointLinks.serverId} in ${ids} or ${pointLinks.clientId} in ${ids})`,
      ),
    )
}
