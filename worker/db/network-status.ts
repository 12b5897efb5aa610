import { type SQL, sql } from 'drizzle-orm'
import { NETWORK_STATUS } from '../contract/limits.ts'
import type { Db } from './client.ts'
import { quotaSql } from './quota.ts'

/** Updates network_status of one account: part of every batch that changes its members or services. */
export const updateNetworkStatus = (db: Db, accountId: number, now: number) =>
  update(db, now, sql`(select ${accountId} as account_id)`)

/**
 * Updates the accounts that have a service which starts or ends between the two times: the only ones whose quota changes
 * without a write.
 */
export const updateNetworkStatusSince = (db: Db, since: number, now: number) =>
  update(
    db,
    now,
    sql`(
      select account_id from services where start_at > ${since} and start_at <= ${now}
      union select account_id from services where expire_at > ${since} and expire_at <= ${now})`,
  )

/**
 * In the order of creation, an account's networks are available while their members together fit its quota (network 2).
 * Devices keep their configuration: a suspended network pushes no new one, and disconnects no member.
 */
function update(db: Db, now: number, accounts: SQL) {
  const fits = sql`sum(count(m.id)) over (partition by n.account_id order by n.id) <= ${quotaSql(sql`n.account_id`, 'network_member', now)}`
  return db.run(sql`
    update networks set status = computed.status
    from (
      select n.id, case when ${fits} then ${NETWORK_STATUS.normal} else ${NETWORK_STATUS.overQuota} end as status
      from ${accounts} a
      cross join networks n on n.account_id = a.account_id
      left join network_members m on m.network_id = n.id
      group by n.id
    ) computed
    where computed.id = networks.id and computed.status <> networks.status`)
}
