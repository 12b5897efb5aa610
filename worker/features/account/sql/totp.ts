import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { accounts, ramAccounts, sessions } from '#db/schema/accounts.ts'
import { totpFactors } from '#db/schema/totp.ts'

export const selectRamTotpRequired = (db: Db, accountId: number) =>
  db.select({ required: accounts.ramTotpRequired }).from(accounts).where(eq(accounts.id, accountId))

export const updateRamTotpRequired = (db: Db, accountId: number, required: number) =>
  db.update(accounts).set({ ramTotpRequired: required }).where(eq(accounts.id, accountId))

const ramFactor = and(
  eq(totpFactors.accountId, ramAccounts.accountId),
  eq(totpFactors.person, sql`'ram:' || ${ramAccounts.id}`),
)

/** Sub-accounts with their second factor, by name. */
export const selectRamFactors = (db: Db, accountId: number) =>
  db
    .select({
      ramId: ramAccounts.id,
      username: ramAccounts.username,
      nickname: ramAccounts.nickname,
      ramDomain: accounts.ramDomain,
      enrolledAt: totpFactors.enrolledAt,
    })
    .from(ramAccounts)
    .innerJoin(accounts, eq(accounts.id, ramAccounts.accountId))
    .leftJoin(totpFactors, ramFactor)
    .where(eq(ramAccounts.accountId, accountId))
    .orderBy(asc(ramAccounts.username))

/** Sessions of sub-accounts that have no second factor. */
export const endSessionsWithoutTotp = (db: Db, accountId: number, now: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(
      and(
        eq(sessions.accountId, accountId),
        isNotNull(sessions.ramId),
        isNull(sessions.endedAt),
        sql`not exists (select 1 from totp_factors where person = 'ram:' || sessions.ram_id)`,
      ),
    )
