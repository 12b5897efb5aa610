import { type SQL, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import type { Revision } from '#db/conflict.ts'
import { guard } from '#db/guard.ts'
import { memberSettingSql } from './settings.ts'
import type { Member } from '#domain/network/members/membership.ts'
import type { NetworkKey } from './settings.ts'

/** Other networks of the account that one of these routers is in. */
const networksBeside = (accountId: number, routerIds: SQL): SQL =>
  sql`select network_id from network_members where account_id = ${accountId} and router_id in (${routerIds})`

/**
 * Members of the networks that share a router with this one, or would with the named routers in it; of the whole account,
 * because a routing table knows no roles. One column of JSON carries their LANs, not all they report.
 */
export const selectNeighbors = (db: Db, { accountId }: Scope, number: string, names: readonly string[] = []) =>
  db.all<[number, number, string, string, string, string, string, number | null, string | null, string]>(sql`
    select n.id, n.revision, n.number, n.name as network_name, r.name as router_name, r.note,
      (select json_group_array(e.value ->> 'ip' || '/' || (e.value ->> 'mask'))
        from json_each(s.interfaces) e where e.value ->> 'role' = 'lan') as lans,
      m.segment_index, ${memberSettingSql('gateway', sql`m.network_id`, sql`m.router_id`)} as gateway, r.static_routes
    from networks n
    join network_members m on m.network_id = n.id
    join routers r on r.id = m.router_id
    left join router_states s on s.router_id = m.router_id
    where n.account_id = ${accountId} and n.number <> ${number} and n.id in (${networksBeside(
      accountId,
      sql`select own.router_id from network_members own join networks o on o.id = own.network_id
        where o.account_id = ${accountId} and o.number = ${number}
        union select id from routers
        where account_id = ${accountId} and name in (select value from json_each(${JSON.stringify(names)}))`,
    )})`)

/** Networks of these rows, each once, as they were read. */
export const toRevisions = (rows: Awaited<ReturnType<typeof selectNeighbors>>): readonly Revision[] => [
  ...new Map(rows.map(([id, revision]) => [id, { id, revision }])).values(),
]

/** The networks that share a router with this one are those that were read, and have not changed since. */
export const guardNeighbors = (
  db: Db,
  { accountId, number }: NetworkKey,
  members: readonly Pick<Member, 'routerId'>[],
  known: readonly Revision[],
) => {
  const ids = sql`select value from json_each(${JSON.stringify(members.map((m) => m.routerId))})`
  const expected = JSON.stringify(known.map(({ id, revision }) => ({ id, revision })))
  return guard(
    db,
    sql`not exists (select 1 from networks n
      where n.account_id = ${accountId} and n.number <> ${number} and n.id in (${networksBeside(accountId, ids)})
      and not exists (select 1 from json_each(${expected}) e
        where e.value ->> 'id' = n.id and e.value ->> 'revision' = n.revision))`,
    violation('NETWORK_CHANGED'),
  )
}
