import { type Column, type SQL, and, eq, or, sql } from 'drizzle-orm'
import type { MemberSetting, NetworkSegmentKind, NetworkSetting } from '#contract/network/settings.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { isOneOf, isOwn } from '#db/columns.ts'
import {
  networks,
  networkJobs,
  networkMembers,
  memberSettings,
  networkSettings,
  networkVersions,
  pointLinks,
  portClaims,
} from '#db/schema/networks.ts'
import { networkScope } from '#db/scope.ts'
import type { PointLink } from '#domain/network/members/pair-links.ts'
import { type RouterNames, namedBy } from '#features/router/sql/columns.ts'

/* SQL of stored settings of networks and members, of point links, and of port claims. */

/** Columns of a SettingRow (domain/network/history/stored-settings.ts). */
export const networkSettingColumns = {
  setting: networkSettings.setting,
  value: networkSettings.value,
  revision: networkSettings.revision,
}
/** The same for a member. */
export const memberSettingColumns = {
  routerId: memberSettings.routerId,
  setting: memberSettings.setting,
  value: memberSettings.value,
  revision: memberSettings.revision,
}

export const selectNetworkSettings = (db: Db, scope: Scope, number: string) =>
  db
    .select(networkSettingColumns)
    .from(networkSettings)
    .innerJoin(networks, eq(networks.id, networkSettings.networkId))
    .where(and(networkScope(scope), eq(networks.number, number)))

/** Settings of a network's members. A setting at its default has no row. */
export const selectMemberSettings = (db: Db, scope: Scope, number: string) =>
  db
    .select(memberSettingColumns)
    .from(memberSettings)
    .innerJoin(networks, eq(networks.id, memberSettings.networkId))
    .where(and(networkScope(scope), eq(networks.number, number)))

/** Setting of one member, as JSON; null at its default. */
export const memberSettingSql = (setting: MemberSetting, networkId: SQL | Column, routerId: SQL | Column) =>
  sql<string | null>`(select ms.value from member_settings ms
    where ms.network_id = ${networkId} and ms.router_id = ${routerId} and ms.setting = ${setting})`

/** Chosen addresses of a centre, as JSON; null for the defaults. */
export const chosenAddresses = {
  gateway: memberSettingSql('gateway', networkMembers.networkId, networkMembers.routerId).as('gateway'),
  pool: memberSettingSql('pool', networkMembers.networkId, networkMembers.routerId).as('pool'),
}

/**
 * Segments that an account's networks hold themselves: centre link and IP pool as stored, point links as segments, POP
 * nodes as subnet indexes with the IP pool, which may choose other segments for them.
 */
export const selectNetworkSegments = (db: Db, accountId: number) =>
  db.all<[string, NetworkSegmentKind, string]>(sql`
    select n.number, s.setting as kind, s.value from network_settings s join networks n on n.id = s.network_id
    where n.account_id = ${accountId} and s.setting in ('center_link', 'ip_pool')
    union all
    select n.number, 'point_link', json_group_array(l.gateway || '/' || l.mask)
    from point_links l join networks n on n.id = l.network_id where n.account_id = ${accountId} group by n.number
    union all
    select n.number, 'pop_node', json_object('indexes', json_group_array(p.segment_index), 'ip_pool', json((
      select s.value from network_settings s where s.network_id = n.id and s.setting = 'ip_pool')))
    from pop_members p join networks n on n.id = p.network_id where n.account_id = ${accountId} group by n.id`)

/** One network of one account: part of every write. */
export interface NetworkKey {
  readonly accountId: number
  readonly number: string
}

export const networkIdSql = ({ accountId, number }: NetworkKey) =>
  sql`(select id from networks where account_id = ${accountId} and number = ${number})`

/** Writes a setting and counts its edit. The batch guards the revision of the network (db/conflict.ts). */
export const saveNetworkSetting = (db: Db, key: NetworkKey, setting: NetworkSetting, value: unknown, now: number) =>
  db.run(sql`
    insert into network_settings (account_id, network_id, setting, value, revision, updated_at)
    values (${key.accountId}, ${networkIdSql(key)}, ${setting}, ${JSON.stringify(value)}, 1, ${now})
    on conflict (network_id, setting) do update set
      value = excluded.value, revision = network_settings.revision + 1, updated_at = excluded.updated_at`)

/** The same for members, many in one statement. */
export const saveMemberSettings = (
  db: Db,
  key: NetworkKey,
  setting: MemberSetting,
  values: readonly { readonly routerId: number; readonly value: unknown }[],
  now: number,
) =>
  values.length > 0 &&
  db.run(sql`
    insert into member_settings (account_id, network_id, router_id, setting, value, revision, updated_at)
    select ${key.accountId}, ${networkIdSql(key)}, e.value ->> 0, ${setting}, e.value ->> 1, 1, ${now}
    from json_each(${JSON.stringify(values.map(({ routerId, value }) => [routerId, JSON.stringify(value)]))}) e
    where true
    on conflict (network_id, router_id, setting) do update set
      value = excluded.value, revision = member_settings.revision + 1, updated_at = excluded.updated_at`)

/** Deletes without a cascade, because foreign keys depend on a setting of the database. */
export const deleteMemberSettings = (
  db: Db,
  key: NetworkKey,
  routerIds: readonly number[],
  kinds: readonly MemberSetting[],
) =>
  routerIds.length > 0 &&
  db
    .delete(memberSettings)
    .where(
      and(
        isIn(memberSettings, key),
        isOneOf(memberSettings.routerId, routerIds),
        isOneOf(memberSettings.setting, kinds),
      ),
    )

/** Frees the ports that members have claimed in a network. */
export const deletePortClaims = (
  db: Db,
  key: NetworkKey,
  routerIds: readonly number[],
  services: readonly ('router' | 'software' | 'center_link')[] = ['router', 'software', 'center_link'],
) =>
  routerIds.length > 0 &&
  db
    .delete(portClaims)
    .where(and(isIn(portClaims, key), isOneOf(portClaims.routerId, routerIds), isOneOf(portClaims.service, services)))

/** Deletes everything that belongs to the settings of a deleted network. */
export const deleteNetworkSettings = (db: Db, key: NetworkKey) => ({
  memberSettings: db.delete(memberSettings).where(isIn(memberSettings, key)),
  pointLinks: db.delete(pointLinks).where(isIn(pointLinks, key)),
  portClaims: db.delete(portClaims).where(isIn(portClaims, key)),
  versions: db.delete(networkVersions).where(isIn(networkVersions, key)),
  jobs: db.delete(networkJobs).where(isIn(networkJobs, key)),
  networkSettings: db.delete(networkSettings).where(isIn(networkSettings, key)),
})

export const isIn = (table: { readonly accountId: Column; readonly networkId: Column }, key: NetworkKey) =>
  and(isOwn(table.accountId, key.accountId), sql`${table.networkId} = ${networkIdSql(key)}`)

/** Network settings of all networks that these routers are in, without regard to roles. */
export const selectSettingsOfRouters = (db: Db, accountId: number, names: RouterNames) =>
  db
    .select({ networkId: networkSettings.networkId, ...networkSettingColumns })
    .from(networkSettings)
    .where(
      and(
        eq(networkSettings.accountId, accountId),
        sql`${networkSettings.networkId} in (select m.network_id from network_members m join routers r on r.id = m.router_id
          where r.account_id = ${accountId} and ${namedBy(sql`r.name`, names)})`,
      ),
    )

export const saveSettingsOfNetworks = (
  db: Db,
  accountId: number,
  rows: readonly { readonly networkId: number; readonly setting: string; readonly value: unknown }[],
  now: number,
) =>
  rows.length > 0 &&
  db.run(sql`
    insert into network_settings (account_id, network_id, setting, value, revision, updated_at)
    select ${accountId}, e.value ->> 0, e.value ->> 1, e.value ->> 2, 1, ${now}
    from json_each(${JSON.stringify(rows.map(({ networkId: id, setting, value }) => [id, setting, JSON.stringify(value)]))}) e
    where true
    on conflict (network_id, setting) do update set
      value = excluded.value, revision = network_settings.revision + 1, updated_at = excluded.updated_at`)

/** Deletes jobs, settings, port claims and point links of deleted routers in all networks. */
export function deleteSettingsOfRouters(db: Db, accountId: number, routerIds: readonly number[]) {
  const isTheirs = (table: typeof networkJobs | typeof memberSettings | typeof portClaims) =>
    and(isOwn(table.accountId, accountId), isOneOf(table.routerId, routerIds))
  return {
    jobs: db.delete(networkJobs).where(isTheirs(networkJobs)),
    memberSettings: db.delete(memberSettings).where(isTheirs(memberSettings)),
    portClaims: db.delete(portClaims).where(isTheirs(portClaims)),
    pointLinks: db.delete(pointLinks).where(and(isOwn(pointLinks.accountId, accountId), hasEndAt(routerIds))),
  }
}

const hasEndAt = (routerIds: readonly number[]) =>
  or(isOneOf(pointLinks.serverId, routerIds), isOneOf(pointLinks.clientId, routerIds))

export const selectPointLinks = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      serverId: pointLinks.serverId,
      clientId: pointLinks.clientId,
      gateway: pointLinks.gateway,
      mask: pointLinks.mask,
      staticPort: pointLinks.staticPort,
      port: pointLinks.port,
      clientPort: pointLinks.clientPort,
    })
    .from(pointLinks)
    .innerJoin(networks, eq(networks.id, pointLinks.networkId))
    .where(and(networkScope(scope), eq(networks.number, number)))
    .orderBy(pointLinks.id)

/** Binds the list as one JSON value, because a statement of D1 takes 100 values. */
export const insertPointLinks = (
  db: Db,
  { accountId, id }: NetworkKey & { readonly id: number },
  links: readonly PointLink[],
) =>
  links.length > 0 &&
  db.run(sql`
    insert into point_links (account_id, network_id, server_id, client_id, gateway, mask, static_port, port, client_port)
    select ${accountId}, ${id}, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5,
      e.value ->> 6
    from json_each(${JSON.stringify(
      links.map((link) => [
        link.serverId,
        link.clientId,
        link.gateway,
        link.mask,
        link.staticPort,
        link.port,
        link.clientPort,
      ]),
    )}) e`)

/** Deletes all links with one of these members at an end. */
export const deletePointLinks = (db: Db, key: NetworkKey, routerIds: readonly number[]) =>
  routerIds.length > 0 && db.delete(pointLinks).where(and(isIn(pointLinks, key), hasEndAt(routerIds)))

/** Columns that documents are compiled from. */
export const pointLinkColumns = {
  networkId: pointLinks.networkId,
  serverId: pointLinks.serverId,
  clientId: pointLinks.clientId,
  gateway: pointLinks.gateway,
  mask: pointLinks.mask,
  port: pointLinks.port,
  clientPort: pointLinks.clientPort,
}

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
