import { and, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Grants } from '#contract/kernel/permissions.ts'
import { NETWORK } from '#contract/network/limits.ts'
import type { Db } from '#db/client.ts'
import { isOneOf, isOwn } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { quotaSql } from '#db/quota.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import type { AddressedMember } from '#domain/network/addresses/addresses.ts'
import type { MemberHost } from '#domain/network/history/setting-change.ts'
import type { Member, Quota } from '#domain/network/members/membership.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import { type NetworkKey, networkIdSql } from './settings.ts'

/* SQL writes of networks and their members, and guards that abort a batch. */

const isNetwork = ({ accountId, number }: NetworkKey) =>
  and(eq(networks.accountId, accountId), eq(networks.number, number))

/** Finds the network by its number, because the same batch may have inserted it. */
const isMember = (key: NetworkKey) =>
  and(isOwn(networkMembers.accountId, key.accountId), sql`${networkMembers.networkId} = ${networkIdSql(key)}`)

export const insertNetwork = (db: Db, row: typeof networks.$inferInsert) => db.insert(networks).values(row)

/** Columns that a call may change in an existing network. */
export type NetworkColumns = Partial<
  Omit<typeof networks.$inferInsert, 'id' | 'accountId' | 'number' | 'hub' | 'revision'>
>

/** Changes columns and bumps the revision, so that a plan made before is refused (db/conflict.ts). */
export const updateNetwork = (db: Db, key: NetworkKey, set: NetworkColumns) =>
  db
    .update(networks)
    .set({ ...set, revision: sql`${networks.revision} + 1` })
    .where(isNetwork(key))

/** Deletes without a cascade, because foreign keys depend on a setting of the database. */
export const deleteMembers = (db: Db, key: NetworkKey) => db.delete(networkMembers).where(isMember(key))

export const deleteCarriers = (db: Db, key: NetworkKey) =>
  db.run(sql`delete from pop_members where account_id = ${key.accountId} and network_id = ${networkIdSql(key)}`)

export const deleteNetworkRow = (db: Db, key: NetworkKey) => db.delete(networks).where(isNetwork(key))

const idsOf = (members: readonly Member[]) => members.map((m) => m.routerId)

export const removeMembers = (db: Db, key: NetworkKey, members: readonly Member[]) =>
  members.length > 0 &&
  db.delete(networkMembers).where(and(isMember(key), isOneOf(networkMembers.routerId, idsOf(members))))

/** Keeps a removed member visible to a limited role until it joins another network (db/scope.ts). */
export const markLeft = (db: Db, { accountId, number }: NetworkKey, members: readonly Member[], grants: Grants) =>
  members.length > 0 &&
  db
    .update(routers)
    .set({ leftNetwork: grants.networks === null ? null : number })
    .where(and(isOwn(routers.accountId, accountId), isOneOf(routers.id, idsOf(members))))

export const demoteMembers = (db: Db, key: NetworkKey, members: readonly Member[]) =>
  members.length > 0 &&
  db
    .update(networkMembers)
    .set({ memberType: 'point', segmentIndex: null })
    .where(and(isMember(key), isOneOf(networkMembers.routerId, idsOf(members))))

/** Binds the list as one JSON value, because a statement of D1 takes 100 values. */
const addresses = (members: readonly AddressedMember[]) =>
  JSON.stringify(
    members.map(({ routerId, memberType, segmentIndex, host }) => [routerId, memberType, segmentIndex, host]),
  )

export const promoteMembers = (db: Db, key: NetworkKey, members: readonly AddressedMember[]) =>
  members.length > 0 &&
  db.run(sql`
    update network_members set member_type = 'center', segment_index = e.value ->> 2
    from json_each(${addresses(members)}) e
    where ${isMember(key)} and router_id = e.value ->> 0`)

export const insertMembers = (db: Db, key: NetworkKey, members: readonly AddressedMember[], now: number) =>
  members.length > 0 &&
  db.run(sql`
    insert into network_members (account_id, network_id, router_id, member_type, segment_index, host, joined_at)
    select networks.account_id, networks.id, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, ${now}
    from networks cross join json_each(${addresses(members)}) e where ${isNetwork(key)}`)

/** Gives members other hosts. None of them may be held by another member, not even by one that moves too. */
export const moveHosts = (db: Db, key: NetworkKey, hosts: readonly MemberHost[]) =>
  hosts.length > 0 &&
  db.run(sql`
    update network_members set host = e.value ->> 1
    from json_each(${JSON.stringify(hosts.map(({ routerId, host }) => [routerId, host]))}) e
    where ${isMember(key)} and router_id = e.value ->> 0`)

/**
 * Joining routers still belong to the account, and none is a POP node. Runs before the insert, which would break a foreign
 * key.
 */
export const guardRouters = (db: Db, { accountId }: NetworkKey, members: readonly Member[]) =>
  members.length > 0 &&
  guard(
    db,
    sql`(select count(*) from routers where ${isOwn(sql`account_id`, accountId)}
      and id in (select value from json_each(${JSON.stringify(idsOf(members))}))
      and not exists (select 1 from pop_nodes where router_id = routers.id)) = ${members.length}`,
    violation('ROUTER_NOT_FOUND'),
  )

/** Guards that routers still have the hubs that are refreshed. A router that got another device has another hub. */
export const guardHubs = (db: Db, { accountId }: NetworkKey, members: readonly (Member & { readonly hub: string })[]) =>
  members.length > 0 &&
  guard(
    db,
    sql`(select count(*) from json_each(${JSON.stringify(members.map(({ routerId, hub }) => [routerId, hub]))}) e
      join routers r on r.id = e.value ->> 0 and r.hub = e.value ->> 1
      where ${isOwn(sql`r.account_id`, accountId)}) = ${members.length}`,
    violation('NETWORK_CHANGED'),
  )

export const guardNetworksPerRouter = (db: Db, { accountId }: NetworkKey, members: readonly Member[]) =>
  guard(
    db,
    sql`not exists (select 1 from network_members where ${isOwn(sql`account_id`, accountId)}
      and router_id in (select value from json_each(${JSON.stringify(idsOf(members))}))
      group by router_id having count(*) > ${NETWORK.perRouter})`,
    violation('MEMBER_NETWORKS_FULL', {
      name: members[0] && members.length === 1 ? labelOf(members[0]) : '所选成员',
      limit: NETWORK.perRouter,
    }),
  )

/** Guards that centres of the network fit the quota, which may have dropped since it was read. */
export const guardCenterQuota = (db: Db, key: NetworkKey, quota: Quota, now: number) =>
  guard(
    db,
    sql`(select count(*) from network_members where ${isMember(key)} and member_type = 'center')
      <= ${quotaSql(key.accountId, 'center', now)}`,
    violation('CENTER_LIMIT_REACHED', { limit: quota.centers }),
  )
