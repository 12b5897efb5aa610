import { type SQL, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'

/** Subnet indexes that centres and POP nodes hold in networks of the account. */
const indexesOf = (accountId: number | SQL): SQL => sql`
  select segment_index as segment_index from network_members
    where account_id = ${accountId} and segment_index is not null
  union all select segment_index from pop_members where account_id = ${accountId}`

export const selectUsedIndexes = (db: Db, accountId: number | SQL) => db.all<[number]>(indexesOf(accountId))

/**
 * No index is held twice. UNIQUE says so within each of the two tables; a batch that adds to one of them asks behind its
 * insert. What is refused counts as a conflict, so that the write chooses again.
 */
export const guardSubnetIndexes = (db: Db, accountId: number) =>
  guard(
    db,
    sql`not exists (select 1 from (${indexesOf(accountId)}) group by segment_index having count(*) > 1)`,
    violation('NETWORK_CHANGED'),
  )

/**
 * Segments in 100.64.0.0/10 that devices of the account report, those of other VPNs too, and those that were chosen for
 * centres and POP: default segments avoid them.
 */
export const selectPoolSegments = (db: Db, accountId: number | SQL) =>
  db.all<[string]>(sql`
    select e.value ->> 'ip' || '/' || (e.value ->> 'mask') as segment
    from routers r join router_states s on s.router_id = r.id join json_each(s.interfaces) e
    where r.account_id = ${accountId} and e.value ->> 'role' in ('lan', 'wan', 'tunnel') and e.value ->> 'ip' like '100.%'
    union all
    select e.value ->> 'gateway' || '/' || (e.value ->> 'mask') from member_settings s join json_each(s.value) e
    where s.account_id = ${accountId} and s.setting = 'gateway' and e.value ->> 'gateway' like '100.%'
    union all
    select s.value ->> ('$.' || k.value || '.gateway') || '/' || (s.value ->> ('$.' || k.value || '.mask'))
    from network_settings s join json_each('["pop","pop_software"]') k
    where s.account_id = ${accountId} and s.setting = 'ip_pool'
      and s.value ->> ('$.' || k.value || '.gateway') like '100.%'`)
