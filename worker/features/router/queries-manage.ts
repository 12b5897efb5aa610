import { type SQL, eq, sql } from 'drizzle-orm'
import { violation } from '../../contract/errors.ts'
import { NETWORK_STATUS, ROUTER_TYPE } from '../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { guard, refusalBySql } from '../../db/guard.ts'
import { routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { networkScope } from '../network/queries.ts'
import type { Scope } from '../../contract/session.ts'
import { routerNamed } from '../network/queries-named.ts'
import { named } from './queries.ts'

// Writes of one member by the name that a call gives. `guardRouter` stands in front of all of them: it alone asks whose
// the member is.

export const guardRouter = (db: Db, scope: Scope, name: string) =>
  guard(db, sql`exists (select 1 from routers where ${named(db, scope, name)})`, violation('ROUTER_NOT_FOUND'))

/** The name as it is stored: it may have been typed in another case. */
export const storedName = (name: string): SQL => sql`(select name from routers where name = ${name})`

export const storedNote = (name: string): SQL => sql`(select note from routers where name = ${name})`

export const setNote = (db: Db, name: string, note: string) =>
  db.update(routers).set({ note }).where(eq(routers.name, name))

export const networkIdsOf = (db: Db, name: string) =>
  db
    .select({ id: networkMembers.networkId })
    .from(networkMembers)
    .where(eq(networkMembers.routerId, routerNamed(name)))

const memberships = (name: string): SQL => sql`
  from network_members own join networks on networks.id = own.network_id where own.router_id = ${routerNamed(name)}`

export const membershipCount = (name: string): SQL => sql`(select count(*) ${memberships(name)})`

/** Numbers of the member's networks as a JSON list, newest first. */
export const networkNumbers = (name: string): SQL => sql`json((select json_group_array(number) from (
  select networks.number ${memberships(name)} order by networks.id desc)))`

/** The caller may know of every network that the member is in. */
export const guardAllCovered = (db: Db, scope: Scope, name: string) =>
  guard(
    db,
    sql`not exists (select 1 ${memberships(name)} and not (${networkScope(scope)}))`,
    violation('ROUTER_SHARED'),
  )

/** No network would lose its only centre; the refusal names the newest that would. */
export function guardNotOnlyCenter(db: Db, name: string) {
  const led = sql`${memberships(name)} and own.member_type = 'center' and not exists (
    select 1 from network_members other
    where other.network_id = own.network_id and other.member_type = 'center' and other.router_id <> own.router_id)`
  const network = sql`(select networks.name ${led} order by networks.id desc limit 1)`
  return guard(db, sql`not exists (select 1 ${led})`, refusalBySql('ROUTER_IS_LAST_CENTER', { network }))
}

/** Makes plans for the member's networks stale and answers their ids. */
export const touchNetworksOf = (db: Db, name: string) =>
  db
    .update(networks)
    .set({ revision: sql`${networks.revision} + 1` })
    .where(sql`${networks.id} in (select network_id from network_members where router_id = ${routerNamed(name)})`)
    .returning({ id: networks.id })

/** Members and state by hand, not by cascade: whether foreign keys act is a setting of the database. */
export const deleteRouterRows = (db: Db, name: string) =>
  [
    db.delete(networkMembers).where(eq(networkMembers.routerId, routerNamed(name))),
    db.delete(routerStates).where(eq(routerStates.routerId, routerNamed(name))),
    db.delete(routers).where(eq(routers.name, name)).returning({ id: routers.id, routerType: routers.routerType }),
  ] as const

export const guardIsHardware = (db: Db, name: string) =>
  guard(
    db,
    sql`exists (select 1 from routers where name = ${name} and router_type = ${ROUTER_TYPE.hardware})`,
    violation('HARDWARE_ONLY'),
  )

/** The member is in a network that works, or in none at all. */
export const guardInUse = (db: Db, name: string) =>
  guard(
    db,
    sql`coalesce((select max(networks.status) ${memberships(name)}), ${NETWORK_STATUS.normal}) = ${NETWORK_STATUS.normal}`,
    violation('NETWORK_SUSPENDED'),
  )

export const routerIdNamed = (db: Db, name: string) =>
  db.select({ id: routers.id }).from(routers).where(eq(routers.name, name))
