import { type SQL, and, eq, isNull, sql } from 'drizzle-orm'
import { type Violation, violation } from '../../contract/errors.ts'
import { OTP, OTP_DAILY } from '../../contract/limits.ts'
import type { CAPTCHA_PURPOSES, CODE_PURPOSES } from '../../contract/verify.ts'
import type { Db } from '../../db/client.ts'
import { guard } from '../../db/guard.ts'
import { accounts, captchas, codes, recoveries } from '../../db/schema/accounts.ts'
import { hmac, isSame } from '../../security/secrets.ts'

export type CaptchaPurpose = (typeof CAPTCHA_PURPOSES)[number]
export type CodePurpose = (typeof CODE_PURPOSES)[number]

// ---- captchas

/** What is stored of a captcha's text: bound to its id and purpose, the same in either case. */
export const captchaAnswer = (secret: string, purpose: CaptchaPurpose, uniqid: string, text: string): Promise<string> =>
  hmac(secret, `captcha:${purpose}:${uniqid}:${text.toUpperCase()}`)

export const insertCaptcha = (db: Db, row: typeof captchas.$inferInsert) => db.insert(captchas).values(row)

/** The captcha is good at this moment of the batch; put `takeCaptcha` behind the statements that ask. */
export const isCaptcha = (uniqid: string, answer: string, now: number): SQL =>
  sql`exists (select 1 from captchas where uniqid = ${uniqid} and answer = ${answer} and expires_at > ${now})`

/** Uses a captcha up, whatever was typed. */
export const takeCaptcha = (db: Db, uniqid: string) =>
  db
    .delete(captchas)
    .where(eq(captchas.uniqid, uniqid))
    .returning({ answer: captchas.answer, expiresAt: captchas.expiresAt })

export function isCaptchaRow(
  row: { answer: string; expiresAt: number } | undefined,
  answer: string,
  now: number,
): boolean {
  return row !== undefined && row.expiresAt > now && isSame(row.answer, answer)
}

// ---- codes

/** Which code is meant: what it is for, where it went, and whose it is (null: a visitor's). */
export interface CodeKey {
  readonly purpose: CodePurpose
  /** '+86 13800000000', an e-mail address, or SQL that gives one. */
  readonly target: string | SQL
  readonly accountId: number | null | SQL
}

const DAY_MS = 86_400_000

/** What is stored of a code. The row itself binds it to purpose, target and account. */
export const codeAnswer = (secret: string, purpose: CodePurpose, code: string): Promise<string> =>
  hmac(secret, `code:${purpose}:${code}`)

/** When the last code went to this target, and how many went today to the target, from the account and the address. */
export const codeCounts = (db: Db, { purpose, target, accountId }: CodeKey, ip: string, now: number) =>
  db.all<[number | null, number, number, number]>(sql`
    select
      (select max(sent_at) from codes where target = ${target} and purpose = ${purpose}),
      (select count(*) from codes where target = ${target} and sent_at > ${now - DAY_MS}),
      (select count(*) from codes where account_id = ${accountId} and sent_at > ${now - DAY_MS}),
      (select count(*) from codes where ip = ${ip} and sent_at > ${now - DAY_MS})`)

/** Why no further code may be sent, from a row of `codeCounts`; the insert asks the same in SQL. */
export function checkCodeCounts(row: readonly [number | null, number, number, number], now: number): Violation | null {
  const [lastAt, toTarget, fromAccount, fromAddress] = row
  const waitMs = (lastAt ?? 0) + OTP.resendSeconds * 1000 - now
  if (waitMs > 0) return violation('CODE_TOO_SOON', { retry_after: Math.ceil(waitMs / 1000) })
  const isFull = toTarget >= OTP_DAILY.target || fromAccount >= OTP_DAILY.account || fromAddress >= OTP_DAILY.address
  return isFull ? violation('CODE_DAILY') : null
}

interface NewCode {
  readonly answer: string
  readonly ip: string
  readonly now: number
  /** Whatever else must hold, a good captcha for one. */
  /** Left out: always. */
  readonly when?: SQL
}

/** Stores a code if every limit allows it; [id, target] comes back, or no row. An older code is void from then on. */
export const insertCode = (
  db: Db,
  { purpose, target, accountId }: CodeKey,
  { answer, ip, now, when = sql`true` }: NewCode,
) =>
  db.all<[number, string]>(sql`
    insert into codes (purpose, target, account_id, answer, ip, sent_at, expires_at)
    select ${purpose}, ${target}, ${accountId}, ${answer}, ${ip}, ${now}, ${now + OTP.minutes * 60_000}
    where ${when}
      and not exists (select 1 from codes where target = ${target} and purpose = ${purpose} and sent_at > ${now - OTP.resendSeconds * 1000})
      and (select count(*) from codes where target = ${target} and sent_at > ${now - DAY_MS}) < ${OTP_DAILY.target}
      and (select count(*) from codes where account_id = ${accountId} and sent_at > ${now - DAY_MS}) < ${OTP_DAILY.account}
      and (select count(*) from codes where ip = ${ip} and sent_at > ${now - DAY_MS}) < ${OTP_DAILY.address}
    returning id, target`)

/** A code that never arrived counts for nothing. */
export const deleteCode = (db: Db, id: number) => db.delete(codes).where(eq(codes.id, id))

/**
 * Spends one of the tries of the latest code and returns its row, whatever was typed; no row if there is none, it is
 * used, too old, or its tries are gone. Hand the row to `checkCode`, and on success put `useCode` into the write.
 */
export const tryCode = (db: Db, key: CodeKey, now: number) =>
  db
    .update(codes)
    .set({ tries: sql`${codes.tries} + 1` })
    .where(and(isLatestCode(key), isOpenCode(now)))
    .returning({ id: codes.id, answer: codes.answer, tries: codes.tries })

const isLatestCode = ({ purpose, target, accountId }: CodeKey): SQL =>
  sql`${codes.id} = (select max(id) from codes where purpose = ${purpose} and target = ${target} and account_id is ${accountId})`

const isOpenCode = (now: number) =>
  and(isNull(codes.usedAt), sql`${codes.tries} < ${OTP.tries}`, sql`${codes.expiresAt} > ${now}`)

/** @param answer `codeAnswer` of what was typed. */
export function checkCode(row: { answer: string; tries: number } | undefined, answer: string): Violation | null {
  return row && isSame(row.answer, answer) ? null : wrongCode(row)
}

/** @param row of `tryCode`. */
export const wrongCode = (row: { tries: number } | undefined): Violation =>
  violation(row && row.tries >= OTP.tries ? 'CODE_SPENT' : 'CODE_WRONG')

/** Uses a checked code up, once: a second batch with the same code is refused as a whole. */
export const useCode = (db: Db, id: number, now: number) =>
  [
    guard(db, sql`exists (select 1 from codes where id = ${id} and used_at is null)`, violation('CODE_WRONG')),
    db.update(codes).set({ usedAt: now }).where(eq(codes.id, id)),
  ] as const

/**
 * Uses the latest code up if it is the right one and `when` holds, and answers its row: looking and using are one, where
 * nothing expensive lies between. Put `tryCode` behind it: that counts the try of a wrong one.
 */
export const spendCode = (db: Db, key: CodeKey, answer: string, now: number, when: SQL) =>
  db
    .update(codes)
    .set({ usedAt: now })
    .where(and(isLatestCode(key), isOpenCode(now), eq(codes.answer, answer), when))
    .returning({ id: codes.id })

const isSpentNow = (key: CodeKey, answer: string, now: number): SQL =>
  sql`exists (select 1 from ${codes} where ${and(isLatestCode(key), eq(codes.answer, answer), eq(codes.usedAt, now))})`

// ---- recoveries

type SendType = 'phone' | 'email'

export const insertRecovery = (
  db: Db,
  row: { readonly uniqid: string; readonly accountId: SQL; readonly expiresAt: number; readonly when: SQL },
) =>
  db.all(sql`
    insert into recoveries (uniqid, account_id, step, expires_at)
    select ${row.uniqid}, ${row.accountId}, 'found', ${row.expiresAt} where ${row.when}`)

export const recoveryById = (db: Db, uniqid: string, now: number) =>
  db
    .select({ step: recoveries.step, accountId: recoveries.accountId, username: accounts.username })
    .from(recoveries)
    .leftJoin(accounts, eq(accounts.id, recoveries.accountId))
    .where(and(eq(recoveries.uniqid, uniqid), sql`${recoveries.expiresAt} > ${now}`))

/** Where the code of a recovery goes: the account's own phone or e-mail, else `nowhere`, which reaches nobody. */
export function recoveryTarget(uniqid: string, sendType: SendType, nowhere: string): SQL {
  const own = sendType === 'phone' ? sql`'+' || a.area_code || ' ' || a.phone` : sql`a.email`
  return sql`coalesce((select ${own} from recoveries r join accounts a on a.id = r.account_id and a.status = 1
    where r.uniqid = ${uniqid}), ${nowhere})`
}

export const recoveryAccount = (uniqid: string): SQL =>
  sql`(select account_id from recoveries where uniqid = ${uniqid})`

export const isRecoveryAt = (uniqid: string, step: 'found' | 'verified', now: number): SQL =>
  sql`exists (select 1 from recoveries where uniqid = ${uniqid} and step = ${step} and expires_at > ${now})`

/** Second step done: the code that `spendCode` looked at just now was right. */
export const verifyRecovery = (db: Db, uniqid: string, key: CodeKey, answer: string, now: number) =>
  db
    .update(recoveries)
    .set({ step: 'verified' })
    .where(and(eq(recoveries.uniqid, uniqid), eq(recoveries.step, 'found'), isSpentNow(key, answer, now)))

/** Last step done; the batch is refused where the second was not. */
export const finishRecovery = (db: Db, uniqid: string, now: number) =>
  [
    guard(db, isRecoveryAt(uniqid, 'verified', now), violation('RECOVERY_STEP')),
    db.update(recoveries).set({ step: 'done' }).where(eq(recoveries.uniqid, uniqid)),
  ] as const
