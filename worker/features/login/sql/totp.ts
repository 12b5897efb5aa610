import { type SQL, and, eq, isNull, lt, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { deleteAttempts, recordAttempt } from '#db/rate-limit.ts'
import { TOTP_GUARD } from '#contract/login/limits.ts'
import { totpFactors, totpRecoveryCodes } from '#db/schema/accounts.ts'

/* Statements on second factors (TOTP) and their recovery codes. */

const PAUSE_MS = TOTP_GUARD.pauseMinutes * 60_000

/** Factor of a person (domain/account/user.ts); `person` is an expression if it is known only in the statement. */
export const selectTotpFactor = (db: Db, person: string | SQL) =>
  db
    .select({
      secretSealed: totpFactors.secretSealed,
      lastStep: totpFactors.lastStep,
      enrolledAt: totpFactors.enrolledAt,
      recoveryLeft: sql<number>`(select count(*) from totp_recovery_codes r
        where r.person = totp_factors.person and r.used_at is null)`.as('recovery_left'),
    })
    .from(totpFactors)
    .where(sql`${totpFactors.person} = ${person}`)

export const selectRecoveryCode = (db: Db, person: string | SQL, hash: string) =>
  db.all<[number]>(
    sql`select 1 from totp_recovery_codes where person = ${person} and code_hash = ${hash} and used_at is null`,
  )

const attemptKey = (person: string | SQL): SQL => sql`${'totp:'} || ${person}`

/** Counts a code before its check, so that parallel ones gain nothing. Recovery codes never pause. */
export const recordTotpTry = (db: Db, person: string | SQL, now: number, when?: SQL) =>
  recordAttempt(db, attemptKey(person), PAUSE_MS, now, when)

export const forgetTotpTries = (db: Db, person: string) => deleteAttempts(db, attemptKey(person))

interface Owner {
  readonly accountId: number
  readonly person: string
}

const ownerCondition = ({ accountId, person }: Owner) =>
  and(eq(totpFactors.accountId, accountId), eq(totpFactors.person, person))

export const insertTotpFactor = (db: Db, row: Omit<typeof totpFactors.$inferSelect, 'enrolledAt'>, now: number) =>
  db.insert(totpFactors).values({ ...row, enrolledAt: now })

export const deleteTotpFactor = (db: Db, owner: Owner) => db.delete(totpFactors).where(ownerCondition(owner))

/** Inserts recovery codes, after their factor. */
export const insertRecoveryCodes = (db: Db, { accountId, person }: Owner, hashes: readonly string[]) =>
  db.run(sql`
    insert into totp_recovery_codes (person, account_id, code_hash)
    select ${person}, ${accountId}, value from json_each(${JSON.stringify(hashes)})`)

export const deleteRecoveryCodes = (db: Db, { accountId, person }: Owner) =>
  db
    .delete(totpRecoveryCodes)
    .where(and(eq(totpRecoveryCodes.accountId, accountId), eq(totpRecoveryCodes.person, person)))

/** Stores the step of a code. Refuses the batch if a parallel call has used this code or a later one. */
export const consumeTotpStep = (db: Db, owner: Owner, secretSealed: string, step: number) => {
  const isFresh = and(ownerCondition(owner), eq(totpFactors.secretSealed, secretSealed), lt(totpFactors.lastStep, step))
  return {
    freshCode: guard(db, sql`exists (select 1 from ${totpFactors} where ${isFresh})`, violation('TOTP_CODE_WRONG')),
    step: db.update(totpFactors).set({ lastStep: step }).where(isFresh),
  }
}

/** Uses up a recovery code. Refuses the batch if a parallel call has used it. */
export const consumeRecoveryCode = (db: Db, { accountId, person }: Owner, hash: string, now: number) => {
  const isUnused = and(
    eq(totpRecoveryCodes.accountId, accountId),
    eq(totpRecoveryCodes.person, person),
    eq(totpRecoveryCodes.codeHash, hash),
    isNull(totpRecoveryCodes.usedAt),
  )
  return {
    unusedCode: guard(
      db,
      sql`exists (select 1 from ${totpRecoveryCodes} where ${isUnused})`,
      violation('RECOVERY_CODE_WRONG'),
    ),
    recoveryCode: db.update(totpRecoveryCodes).set({ usedAt: now }).where(isUnused),
  }
}
