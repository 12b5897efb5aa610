import { type SQL, and, eq, sql } from 'drizzle-orm'
import { violation } from '../../contract/errors.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { guard } from '../../db/guard.ts'
import { networkMembers } from '../../db/schema/networks.ts'
import { idOf } from './queries-membership.ts'

// A network and its members by the names that a call gives. A write that uses these reads nothing first: they stand in
// its batch, in front of the change.

/** Behind a guard that knows whose member it is: names are unique in the whole service. */
export const routerNamed = (name: string): SQL => sql`(select id from routers where name = ${name})`

/** The member in the words of the console (domain/network/membership.ts labelOf). */
export const routerLabel = (name: string): SQL =>
  sql`(select case note when '' then name else note end from routers where name = ${name})`

export const networkName = (number: string): SQL => sql`(select name from networks where number = ${number})`

const membersNamed = (number: string, name: string | undefined): SQL => sql`
  from network_members m join routers r on r.id = m.router_id
  where m.network_id = ${idOf(number)} and ${name === undefined ? sql`true` : sql`r.name = ${name}`}`

/** Members by kind, as audit rows show them: all, or the one of that name. */
export function namesByKindOf(number: string, name?: string): { center: SQL; point: SQL } {
  const names = (kind: 'center' | 'point') => sql`json((select json_group_array(name) from (
    select r.name ${membersNamed(number, name)} and m.member_type = ${kind} order by m.id)))`
  return { center: names('center'), point: names('point') }
}

const hardwareNamed = (number: string, name: string | undefined): SQL =>
  sql`${membersNamed(number, name)} and r.router_type = ${ROUTER_TYPE.hardware}`

/** Hardware members as [id] rows: all, or the one of that name. */
export const hardwareIds = (db: Db, number: string, name?: string) =>
  db.all<[number]>(sql`select r.id ${hardwareNamed(number, name)}`)

export const hardwareCount = (number: string, name?: string): SQL =>
  sql`(select count(*) ${hardwareNamed(number, name)})`

export const guardHardware = (db: Db, number: string, name?: string) =>
  guard(db, sql`exists (select 1 ${hardwareNamed(number, name)})`, violation('HARDWARE_ONLY'))

/** The network has a member of that name; without a name, any. */
export const guardMember = (db: Db, number: string, name?: string) =>
  guard(db, sql`exists (select 1 ${membersNamed(number, name)})`, violation('MEMBER_NOT_IN_NETWORK'))

export const leaveNetwork = (db: Db, number: string, name: string) =>
  db
    .delete(networkMembers)
    .where(and(eq(networkMembers.networkId, idOf(number)), eq(networkMembers.routerId, routerNamed(name))))

/** Marks a member that goes and those of the other kind, who meet it, and answers their ids: in one network, or in all. */
export const markMet = (db: Db, name: string, number?: string) =>
  db.all<[number]>(sql`
    insert into router_states (router_id, config_stale)
    select distinct r.id, 1 from network_members own
    join network_members met on met.network_id = own.network_id
      and (met.router_id = own.router_id or met.member_type <> own.member_type)
    join routers r on r.id = met.router_id and r.router_type = ${ROUTER_TYPE.hardware}
    where own.router_id = ${routerNamed(name)}
      and ${number === undefined ? sql`true` : sql`own.network_id = ${idOf(number)}`}
    on conflict (router_id) do update set config_stale = 1
    returning router_id`)
