import { and, eq, sql } from 'drizzle-orm'
import { DIAL_TOKEN } from '#contract/client/limits.ts'
import { MINUTE_MS } from '#contract/kernel/time.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { quotaSql } from '#db/quota.ts'
import { recordAttempt } from '#db/rate-limit.ts'
import { accounts } from '#db/schema/accounts.ts'
import { authorities } from '#db/schema/authorities.ts'
import { routers } from '#db/schema/routers.ts'

/* Statements on dials of software members: who dials, and counters of failed dials. */

const dialColumns = (now: number) => ({
  id: routers.id,
  uid: sql<string>`coalesce(${routers.uid}, ${routers.hub})`.as('uid'),
  name: routers.name,
  status: routers.status,
  credentialVersion: routers.credentialVersion,
  accountStatus: as(accounts.status, 'account_status'),
  softwareQuota: quotaSql(sql`${routers.accountId}`, 'software_member', now).as('software_quota'),
})

const selectMember = (db: Db, accountId: number, now: number, isNamed: ReturnType<typeof sql>) =>
  db
    .select(dialColumns(now))
    .from(routers)
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .where(and(eq(routers.accountId, accountId), eq(routers.routerType, ROUTER_TYPE.software), isNamed))
    .limit(1)

export const selectDialMember = (db: Db, accountId: number, id: number, now: number) =>
  selectMember(db, accountId, now, sql`${routers.id} = ${id}`)

export const selectDialMemberByName = (db: Db, accountId: number, name: string, now: number) =>
  selectMember(db, accountId, now, sql`${routers.name} = ${name}`)

export const selectIsInNetwork = (db: Db, accountId: number, id: number, networkNumber: string) =>
  db.all<[number]>(sql`select exists (select 1 from network_members m join networks n on n.id = m.network_id
    where m.router_id = ${id} and n.account_id = ${accountId} and n.number = ${networkNumber}) as is_in_network`)

/** Certificate of the account's authority; no row before a device of it has needed one. */
export const selectCa = (db: Db, accountId: number) =>
  db.select({ certificate: authorities.certificate }).from(authorities).where(eq(authorities.accountId, accountId))

const PAUSE_MS = DIAL_TOKEN.pauseMinutes * MINUTE_MS

/**
 * Counts a failed dial at the name and address, and at the address over all names. The counters are those of the account
 * alone: the router that asks is the customer's, and could name anybody.
 */
export const recordFailedDial = (db: Db, accountId: number, name: string, block: string, now: number) => ({
  atAddress: recordAttempt(db, `dial:${accountId}:${name}:${block}`, PAUSE_MS, now),
  ofAddress: recordAttempt(db, `dial:${accountId}::${block}`, PAUSE_MS, now),
})
