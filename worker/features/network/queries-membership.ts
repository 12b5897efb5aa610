import { type SQL, and, eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { violation } from '../../contract/errors.ts'
import { NETWORK, NETWORK_STATUS, ROUTER_TYPE } from '../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { isOneOf } from '../../db/columns.ts'
import { guard } from '../../db/guard.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { type Change, type Member, type Room, labelOf } from '../../domain/network/membership.ts'
import { HOSTS, SEGMENT_PAIRS, takenPairs } from '../../domain/network/segments.ts'
import { networkScope, quotaOf, recomputeNetworkStatus } from './queries.ts'
import type { Scope } from '../../contract/session.ts'
import { guardSegments } from './queries-segments.ts'

// Writes of a network's members: statements for one batch. What they allocate and what they must not break is decided
// inside that batch, where no other write comes between.

/** The network by its number: it may have been inserted by the same batch. */
export const idOf = (number: string): SQL => sql`(select id from networks where number = ${number})`
const ids = (routerIds: readonly number[]): SQL => sql`json_each(${JSON.stringify(routerIds)})`

/**
 * Writes a change of members, and refuses it where the network or the account would break a rule. Who leaves goes first,
 * so that what they free can be given again. `after` is the list the change leads to.
 */
export function changeMembers(
  db: Db,
  scope: Scope,
  number: string,
  change: Change,
  after: readonly Member[],
  room: Room,
  now: number,
): BatchItem<'sqlite'>[] {
  const idsOf = (members: readonly Member[]) => members.map((m) => m.routerId)
  const { added, removed, promoted, demoted } = change
  const centers = idsOf([...promoted, ...added.filter((m) => m.memberType === 'center')])
  const avoided = takenPairs(after.flatMap((m) => m.lans))
  const statements: BatchItem<'sqlite'>[] = []
  if (removed.length > 0) statements.push(leave(db, number, idsOf(removed)))
  if (demoted.length > 0) statements.push(demote(db, number, idsOf(demoted)))
  if (added.length > 0) statements.push(join(db, scope, number, idsOf(added), now))
  if (centers.length > 0) statements.push(promote(db, scope, number, centers, avoided))
  if (added.length > 0) {
    const label = added[1] || !added[0] ? '所选成员' : labelOf(added[0])
    statements.push(...guardJoined(db, scope, number, { routerIds: idsOf(added), label }, room.seats, now))
  }
  if (centers.length > 0) statements.push(...guardCenters(db, scope, number, centers, room.centers, now))
  if (added.length + promoted.length > 0) statements.push(guardSegments(db, idOf(number)))
  return [...statements, guardHasCenter(db, number), recomputeNetworkStatus(db, scope.accountId, now)]
}

const leave = (db: Db, number: string, routerIds: readonly number[]) =>
  db
    .delete(networkMembers)
    .where(and(eq(networkMembers.networkId, idOf(number)), isOneOf(networkMembers.routerId, routerIds)))

const demote = (db: Db, number: string, routerIds: readonly number[]) =>
  db
    .update(networkMembers)
    .set({ memberType: 'point', segmentIndex: null })
    .where(and(eq(networkMembers.networkId, idOf(number)), isOneOf(networkMembers.routerId, routerIds)))

/** Everybody joins as a point and gets the smallest free host numbers; `promote` makes the centres. */
function join(db: Db, scope: Scope, number: string, routerIds: readonly number[], now: number) {
  const used = sql`select host from network_members where network_id = ${idOf(number)}`
  return db.run(sql`
    insert into network_members (account_id, network_id, router_id, member_type, host, joined_at)
    with recursive
      numbers (n) as (
        select ${HOSTS.first} union all
        select n + 1 from numbers where n < ${HOSTS.first - 1 + routerIds.length} + (select count(*) from (${used}))),
      free (n, k) as materialized (
        select n, row_number() over (order by n) - 1 from numbers where n not in (${used}))
    select r.account_id, ${idOf(number)}, r.id, 'point', free.n, ${now}
    from ${ids(routerIds)} wanted
    join routers r on r.id = wanted.value and r.account_id = ${scope.accountId}
    join free on free.k = wanted.key`)
}

/** Gives each its pair of default segments, unique in the account; `avoided` pairs overlap a LAN of the network. */
function promote(db: Db, scope: Scope, number: string, routerIds: readonly number[], avoided: readonly number[]) {
  return db.run(sql`
    with recursive
      numbers (n) as (select 0 union all select n + 1 from numbers where n < ${SEGMENT_PAIRS - 1}),
      free (n, k) as materialized (
        select n, row_number() over (order by n) - 1 from numbers
        where n not in (select segment_index from network_members
            where account_id = ${scope.accountId} and segment_index is not null)
          and n not in (select value from json_each(${JSON.stringify(avoided)})))
    update network_members set member_type = 'center', segment_index = free.n
    from ${ids(routerIds)} wanted join free on free.k = wanted.key
    where network_id = ${idOf(number)} and router_id = wanted.value`)
}

/** Those who joined are there, have seats, and are not in too many networks. */
function guardJoined(
  db: Db,
  scope: Scope,
  number: string,
  joined: { readonly routerIds: readonly number[]; readonly label: string },
  seats: number,
  now: number,
) {
  const { accountId } = scope
  const among = sql`router_id in (select value from ${ids(joined.routerIds)})`
  const members = sql`select count(*) from network_members where network_id = ${idOf(number)}`
  return [
    guard(db, sql`(${members} and ${among}) = ${joined.routerIds.length}`, violation('ROUTER_NOT_FOUND')),
    guard(
      db,
      sql`(select count(*) from network_members where account_id = ${accountId})
        <= ${quotaOf(accountId, 'network_member', now)}`,
      violation('MEMBER_LIMIT_REACHED', { limit: seats }),
    ),
    guard(
      db,
      sql`(${members}) <= ${NETWORK.membersMax}`,
      violation('MEMBER_LIMIT_REACHED', { limit: NETWORK.membersMax }),
    ),
    guard(
      db,
      sql`not exists (select 1 from network_members where ${among}
        group by router_id having count(*) > ${NETWORK.perRouter})`,
      violation('MEMBER_NETWORKS_FULL', { name: joined.label, limit: NETWORK.perRouter }),
    ),
  ]
}

/** Those who became centres got segments, and are not too many. */
function guardCenters(db: Db, scope: Scope, number: string, routerIds: readonly number[], limit: number, now: number) {
  const centers = sql`select count(*) from network_members where network_id = ${idOf(number)} and member_type = 'center'`
  return [
    guard(
      db,
      sql`(${centers} and router_id in (select value from ${ids(routerIds)})) = ${routerIds.length}`,
      violation('SEGMENTS_USED_UP'),
    ),
    guard(
      db,
      sql`(${centers}) <= ${quotaOf(scope.accountId, 'center', now)}`,
      violation('CENTER_LIMIT_REACHED', { limit }),
    ),
  ]
}

/** A network keeps a centre: without one it is no network. */
export const guardHasCenter = (db: Db, number: string) =>
  guard(
    db,
    sql`exists (select 1 from network_members where network_id = ${idOf(number)} and member_type = 'center')`,
    violation('LAST_CENTER'),
  )

export const insertNetwork = (db: Db, row: typeof networks.$inferInsert) => db.insert(networks).values(row)

export const idByNumber = (db: Db, number: string) =>
  db.select({ id: networks.id }).from(networks).where(eq(networks.number, number))

/** Members by hand, not by cascade: whether foreign keys act is a setting of the database. */
export const deleteNetworkRows = (db: Db, number: string) =>
  [
    db.delete(networkMembers).where(eq(networkMembers.networkId, idOf(number))),
    db.delete(networks).where(eq(networks.number, number)).returning({ id: networks.id }),
  ] as const

/** Renames, and makes plans that were made before this write stale. */
export const touchNetwork = (db: Db, number: string, set: { name?: string } = {}) =>
  db
    .update(networks)
    .set({ ...set, revision: sql`${networks.revision} + 1` })
    .where(eq(networks.number, number))
    .returning({ id: networks.id })

/** The network is there and the caller may change it. */
export const guardNetwork = (db: Db, scope: Scope, number: string) =>
  guard(
    db,
    sql`exists (select 1 from networks where ${networkScope(scope)} and ${eq(networks.number, number)})`,
    violation('NETWORK_NOT_FOUND'),
  )

/** Nobody edited the network since it was read. */
export const guardRevision = (db: Db, number: string, revision: number) =>
  guard(db, sql`(select revision from networks where number = ${number}) = ${revision}`, violation('NETWORK_CHANGED'))

export const guardAvailable = (db: Db, number: string) =>
  guard(
    db,
    sql`(select status from networks where number = ${number}) = ${NETWORK_STATUS.normal}`,
    violation('NETWORK_SUSPENDED'),
  )

/** Whose document a change of members moves (domain/network/compile.ts). */
export interface Moved {
  /** Who came, went or changed kind; also who is no member any more. */
  readonly routerIds: readonly number[]
  /** Points came or went: each centre lets others in. */
  readonly centers: boolean
  /** Centres came or went: each point dials others. */
  readonly points: boolean
}

/**
 * Marks the routers whose document moved and answers their ids as [id] rows. Stands after the change in its batch: it
 * must see members that a parallel call added. Software members have no document.
 */
export function markStale(db: Db, number: string, { routerIds, centers, points }: Moved) {
  return db.all<[number]>(sql`
    insert into router_states (router_id, config_stale)
    select r.id, 1 from routers r where r.router_type = ${ROUTER_TYPE.hardware} and (
      r.id in (select value from ${ids(routerIds)})
      or r.id in (select router_id from network_members where network_id = ${idOf(number)}
        and ((member_type = 'center' and ${centers ? 1 : 0}) or (member_type = 'point' and ${points ? 1 : 0}))))
    on conflict (router_id) do update set config_stale = 1
    returning router_id`)
}
