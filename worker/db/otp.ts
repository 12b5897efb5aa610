import { type SQL, and, eq, isNull, sql } from 'drizzle-orm'
import { violation } from '../contract/errors.ts'
import { OTP, OTP_DAILY } from '../contract/limits.ts'
import type { CODE_PURPOSES } from '../contract/verify.ts'
import type { Db } from './client.ts'
import { guard } from './guard.ts'
import { codes } from './schema/accounts.ts'

export type CodePurpose = (typeof CODE_PURPOSES)[number]

/** Which code is meant: what it is for, where it went, and whose it is (null: a visitor's). */
export interface OtpKey {
  readonly purpose: CodePurpose
  /** '+86 13800000000' or an e-mail address. */
  readonly target: string
  readonly accountId: number | null
}

const DAY_MS = 86_400_000

/** domain/verify/otp.ts SendCounts: when the last code went to this target, and how many went within a day. */
export const selectSendCounts = (db: Db, { purpose, target, accountId }: OtpKey, ip: string, now: number) =>
  db.all<[number | null, number, number, number]>(sql`
    select
      (select max(sent_at) from codes where target = ${target} and purpose = ${purpose}),
      (select count(*) from codes where target = ${target} and sent_at > ${now - DAY_MS}),
      (select count(*) from codes where account_id = ${accountId} and sent_at > ${now - DAY_MS}),
      (select count(*) from codes where ip = ${ip} and sent_at > ${now - DAY_MS})`)

interface NewOtp {
  readonly answer: string
  readonly ip: string
  readonly now: number
  /** What else must hold, a captcha for one. */
  readonly when?: SQL
}

/** Stores a code if every limit allows it and returns [id], or no row. An older code is void from then on. */
export const insertOtp = (
  db: Db,
  { purpose, target, accountId }: OtpKey,
  { answer, ip, now, when = sql`true` }: NewOtp,
) =>
  db.all<[number]>(sql`
    insert into codes (purpose, target, account_id, answer, ip, sent_at, expires_at)
    select ${purpose}, ${target}, ${accountId}, ${answer}, ${ip}, ${now}, ${now + OTP.minutes * 60_000}
    where ${when}
      and not exists (select 1 from codes where target = ${target} and purpose = ${purpose} and sent_at > ${now - OTP.resendSeconds * 1000})
      and (select count(*) from codes where target = ${target} and sent_at > ${now - DAY_MS}) < ${OTP_DAILY.target}
      and (select count(*) from codes where account_id = ${accountId} and sent_at > ${now - DAY_MS}) < ${OTP_DAILY.account}
      and (select count(*) from codes where ip = ${ip} and sent_at > ${now - DAY_MS}) < ${OTP_DAILY.address}
    returning id`)

/** A code that was never delivered counts for nothing. */
export const deleteOtp = (db: Db, id: number) => db.delete(codes).where(eq(codes.id, id))

/**
 * Counts a try of the latest code and returns its row, whatever was typed; no row if there is none, it is used, too old,
 * or its tries are used up. Check the row with `checkOtp`, and put `consumeOtp` into the write.
 */
export const recordOtpAttempt = (db: Db, key: OtpKey, now: number) =>
  db
    .update(codes)
    .set({ tries: sql`${codes.tries} + 1` })
    .where(and(isLatest(key), isOpen(now)))
    .returning({ id: codes.id, answer: codes.answer, tries: codes.tries })

const isLatest = ({ purpose, target, accountId }: OtpKey): SQL =>
  sql`${codes.id} = (select max(id) from codes where purpose = ${purpose} and target = ${target} and account_id is ${accountId})`

const isOpen = (now: number) =>
  and(isNull(codes.usedAt), sql`${codes.tries} < ${OTP.tries}`, sql`${codes.expiresAt} > ${now}`)

/** Refuses the batch where a parallel call has consumed the code. Stands in front of `consumeOtp`. */
export const guardOtpUnused = (db: Db, id: number) =>
  guard(db, sql`exists (select 1 from codes where id = ${id} and used_at is null)`, violation('CODE_WRONG'))

export const consumeOtp = (db: Db, id: number, now: number) =>
  db.update(codes).set({ usedAt: now }).where(eq(codes.id, id))

/**
 * Consumes the latest code if it is right, and returns its row: check and use in one statement, where nothing expensive
 * lies between. Put `recordOtpAttempt` behind it, which counts the try of a wrong one.
 */
export const consumeOtpIfValid = (db: Db, key: OtpKey, answer: string, now: number) =>
  db
    .update(codes)
    .set({ usedAt: now })
    .where(and(isLatest(key), isOpen(now), eq(codes.answer, answer)))
    .returning({ id: codes.id })

/** `consumeOtpIfValid` of the same batch found the code right. */
export const isConsumedNow = (key: OtpKey, answer: string, now: number): SQL =>
  sql`exists (select 1 from ${codes} where ${and(isLatest(key), eq(codes.answer, answer), eq(codes.usedAt, now))})`
