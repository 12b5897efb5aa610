import { type SQL, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import { BASE_QUOTA, type ServiceKind } from '#contract/account/services.ts'
import type { Db } from './client.ts'
import { guard } from './guard.ts'
import { accounts } from './schema/accounts.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* SQL of quotas: what an account has bought and uses, and guards for writes that need some. */

/** Quota of a kind: the free base plus active services. */
export function quotaSql(accountId: SQL | number, kind: ServiceKind, now: number): SQL<number> {
  return sql<number>`(${BASE_QUOTA[kind]} + coalesce((select sum(s.quantity) from services s where
    s.account_id = ${accountId} and s.kind = ${kind} and s.start_at <= ${now} and s.expire_at > ${now}), 0))`
}

/** Rows of `Quota` in domain/network/members/membership.ts. */
export const selectMemberQuota = (db: Db, accountId: number, now: number) =>
  db
    .select({
      members: quotaSql(accountId, 'network_member', now).as('members'),
      membersUsed: sql<number>`(select count(*) from network_members where account_id = ${accountId})`.as('used'),
      centers: quotaSql(accountId, 'center', now).as('centers'),
      dnsQuantity: accounts.dnsQuantity,
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))

/** Quotas of an account and their use: columns of a select from `accounts`. */
export const usageColumns = (accountId: number, now: number) => ({
  seats: quotaSql(accountId, 'network_member', now).as('seats'),
  seatsUsed: sql<number>`(select count(*) from network_members where account_id = ${accountId})`.as('seats_used'),
  software: quotaSql(accountId, 'software_member', now).as('software'),
  softwareUsed:
    sql<number>`(select count(*) from routers where account_id = ${accountId} and router_type = ${ROUTER_TYPE.software})`.as(
      'software_used',
    ),
  subAccounts: quotaSql(accountId, 'sub_account', now).as('sub_accounts'),
  subAccountsUsed: sql<number>`(select count(*) from ram_accounts where account_id = ${accountId})`.as(
    'sub_accounts_used',
  ),
})

export const selectUsage = (db: Db, accountId: number, now: number) =>
  db.select(usageColumns(accountId, now)).from(accounts).where(eq(accounts.id, accountId))

/** Guard: the members of all networks fit the quota. Parallel calls may each have read a free seat. */
export const guardMemberQuota = (db: Db, accountId: number, limit: number, now: number) =>
  guard(
    db,
    sql`(select count(*) from network_members where account_id = ${accountId})
      <= ${quotaSql(accountId, 'network_member', now)}`,
    violation('MEMBER_LIMIT_REACHED', { limit }),
  )

/** Guard behind the insert: the software members fit the quota. */
export const guardSoftwareQuota = (db: Db, accountId: number, max: number, now: number) =>
  guard(
    db,
    sql`(select count(*) from routers where account_id = ${accountId} and router_type = ${ROUTER_TYPE.software})
      <= ${quotaSql(accountId, 'software_member', now)}`,
    violation('SOFTWARE_LIMIT_REACHED', { limit: max }),
  )

/** Guard: the account still has the suffix of the new name. */
export const guardSign = (db: Db, accountId: number, sign: string) =>
  guard(db, sql`exists (select 1 from accounts where id = ${accountId} and sign = ${sign})`, violation('SIGN_REQUIRED'))
