import { type SQL, and, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { type OtpKey, isConsumed, isConsumedNow, isOtpRight } from './codes.ts'
import { attemptCount } from '#db/rate-limit.ts'
import { accounts, recoveries } from '#db/schema/accounts.ts'

/* Statements on password recoveries and their steps, and the number of redeemed proofs of work. */

/** Proofs of work redeemed in the present windows: by an address, and by its /48. */
export const selectProofs = (db: Db, key: string, wideKey: string, now: number) =>
  db.all<[number, number]>(
    sql`select ${attemptCount(key, now)} as address, ${attemptCount(wideKey, now)} as wide_block`,
  )

interface NewRecovery {
  readonly uniqid: string
  /** Keyed digest of the name. */
  readonly name: string
  readonly accountId: SQL
  readonly expiresAt: number
  readonly when: SQL
}

export const insertRecovery = (db: Db, { uniqid, name, accountId, expiresAt, when }: NewRecovery) =>
  db.run(sql`
    insert into recoveries (uniqid, name, account_id, step, expires_at)
    select ${uniqid}, ${name}, ${accountId}, 'found', ${expiresAt} where ${when}`)

/** Recovery that has not expired, with its account if the name has one. */
export const selectRecovery = (db: Db, uniqid: string, now: number) =>
  db
    .select({
      step: recoveries.step,
      name: recoveries.name,
      accountId: recoveries.accountId,
      hub: accounts.hub,
      username: accounts.username,
      nickname: accounts.nickname,
      password: accounts.password,
      status: accounts.status,
      areaCode: accounts.areaCode,
      phone: accounts.phone,
      email: accounts.email,
      host: accounts.host,
    })
    .from(recoveries)
    .leftJoin(accounts, eq(accounts.id, recoveries.accountId))
    .where(and(eq(recoveries.uniqid, uniqid), sql`${recoveries.expiresAt} > ${now}`))

/** Marks the second step as done if `consumeOtpIfRight` of the same batch found the code right. */
export const verifyRecovery = (db: Db, uniqid: string, key: OtpKey, answer: string, now: number) =>
  db
    .update(recoveries)
    .set({ step: 'verified' })
    .where(and(eq(recoveries.uniqid, uniqid), eq(recoveries.step, 'found'), isConsumedNow(key, answer, now)))

const isRecoveryVerified = (uniqid: string, key: OtpKey, answer: string, now: number): SQL =>
  sql`exists (select 1 from recoveries where uniqid = ${uniqid} and step = 'verified')
    and ${isConsumed(key, answer, now)}`

/** One row if this code has completed the second step. */
export const selectRecoveryVerified = (db: Db, uniqid: string, key: OtpKey, answer: string, now: number) =>
  db.all<[number]>(sql`select 1 where ${isRecoveryVerified(uniqid, key, answer, now)}`)

/** Condition: the code is right, or has already completed the second step (its answer was lost). */
export const isRecoveryAnswerRight = (uniqid: string, key: OtpKey, answer: string, now: number): SQL =>
  sql`(${isOtpRight(key, answer, now)} or ${isRecoveryVerified(uniqid, key, answer, now)})`

/** Refuses the batch if a parallel call has used the recovery. Runs before `finishRecovery`. */
export const guardRecoveryVerified = (db: Db, uniqid: string, now: number) =>
  guard(
    db,
    sql`exists (select 1 from recoveries where uniqid = ${uniqid} and step = 'verified' and expires_at > ${now})`,
    violation('RECOVERY_STEP'),
  )

export const finishRecovery = (db: Db, uniqid: string) =>
  db.update(recoveries).set({ step: 'done' }).where(eq(recoveries.uniqid, uniqid))
