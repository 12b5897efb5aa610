import { type SQL, and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Session } from '#contract/kernel/session.ts'
import type { CodePurpose } from '#contract/verify/index.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { isProviderDown } from '#db/provider-status.ts'
import { codes, sessions, captchas } from '#db/schema/accounts.ts'
import { OTP, OTP_LIMITS } from '#contract/verify/limits.ts'

/* Statements on one-time codes (limits, tries, consumption), captchas, and the identity step of a session. */

/** Identity of a code. Nobody but its owner can try, spend or replace it. */
export interface OtpKey {
  readonly purpose: CodePurpose
  /** '+86 13800000000' or an e-mail address; for a recovery the digest of its name, so that unknown names count alike. */
  readonly target: string
  /** The recovery, the captcha of a registration, or the signed-in person. */
  readonly owner: string
}

/** Requester of a code, for the limits. */
export interface OtpSender {
  readonly kind: 'main' | 'ram' | 'visitor'
  /** The signed-in person; for a visitor the address, with IPv6 its /48. */
  readonly key: string
  readonly accountId: number | null
  /** Address; with IPv6 its /64. */
  readonly address: string
}

type OtpLimit = keyof typeof OTP_LIMITS

/**
 * Codes that each limit counts. Codes to one target by all senders count only for visitors, so that an account uses up no
 * limit of another, and a sub-account none of the main account.
 */
function countedCodes(
  { purpose, target }: OtpKey,
  { kind, key, accountId, address }: OtpSender,
): readonly (readonly [OtpLimit, SQL])[] {
  const same = sql`target = ${target} and purpose = ${purpose}`
  const bySender = sql`sender = ${key} and purpose = ${purpose}`
  const share = ['share', sql`${same} and sender = ${key}`] as const
  if (kind === 'visitor')
    return [
      ['wait', same],
      ['address', sql`ip = ${address} and account_id is null and purpose = ${purpose}`],
      ['wideBlock', bySender],
      share,
      ['target', same],
    ]
  return [
    ['wait', sql`${same} and sender = ${key}`],
    [kind, bySender],
    share,
    ...(kind === 'ram' ? ([['target', sql`${same} and account_id = ${accountId}`]] as const) : []),
  ]
}

/** Time of the send that fills the limit's window; null if it is not full. */
const filledBy = (limit: OtpLimit, counted: SQL, now: number): SQL => {
  const { max, windowMs } = OTP_LIMITS[limit]
  return sql`(select sent_at from codes where ${counted} and sent_at > ${now - windowMs} order by sent_at desc limit 1 offset ${max - 1})`
}

/** Channel of a code. A recovery's target is the kind of contact and the digest of a name. */
const channelOf = ({ target }: OtpKey) => (/^(\+|phone:)/.test(target) ? 'sms' : 'mail')

/** `SendTimes` (domain/verify/otp.ts); runs before `insertOtp`. D1 allows five parts in a compound select, hence two. */
export const selectSendTimes = (db: Db, key: OtpKey, sender: OtpSender, now: number) => {
  const limits = countedCodes(key, sender).map(([limit, same]) => sql`select ${limit}, ${filledBy(limit, same, now)}`)
  return db.all<[OtpLimit | 'provider', number | null]>(sql`
    select 'provider', case when ${isProviderDown(channelOf(key), now)} then ${now} end
    union all select * from (${sql.join(limits, sql` union all `)})`)
}

interface NewOtp {
  readonly answer: string
  readonly now: number
  /** Further condition of the insert, such as a solved captcha. */
  readonly when?: SQL
}

/**
 * Stores a code if every limit allows it and its provider is not known to fail; answers [id], or no row. An older code of
 * this owner becomes void.
 */
export const insertOtp = (db: Db, key: OtpKey, sender: OtpSender, { answer, now, when = sql`true` }: NewOtp) => {
  const isOpen = countedCodes(key, sender).map(([limit, counted]) => sql`${filledBy(limit, counted, now)} is null`)
  return db.all<[number]>(sql`
    insert into codes (purpose, target, owner, sender, account_id, answer, ip, sent_at, expires_at)
    select ${key.purpose}, ${key.target}, ${key.owner}, ${sender.key}, ${sender.accountId}, ${answer}, ${sender.address},
      ${now}, ${now + OTP.minutes * 60_000}
    where ${when} and not ${isProviderDown(channelOf(key), now)} and ${sql.join(isOpen, sql` and `)}
    returning id`)
}

/** Deletes a code that was never delivered, so that it does not count. */
export const deleteOtp = (db: Db, id: number) => db.delete(codes).where(eq(codes.id, id))

/**
 * Compares an answer with the owner's latest code and returns its row; only a wrong answer costs a try. No row if there is
 * none, or if it is used, too old or out of tries. Check the row with `checkOtp`, and put `consumeOtp` into the write.
 */
export const recordOtpAttempt = (db: Db, key: OtpKey, answer: string, now: number) =>
  db
    .update(codes)
    .set({ tries: sql`${codes.tries} + (${codes.answer} <> ${answer})` })
    .where(and(isLatest(key), isOpen(now)))
    .returning({
      id: codes.id,
      tries: codes.tries,
      isRight: sql<boolean>`${codes.answer} = ${answer}`.mapWith(Boolean),
    })

const isLatest = ({ purpose, target, owner }: OtpKey): SQL =>
  sql`${codes.id} = (select max(id) from codes where purpose = ${purpose} and target = ${target} and owner = ${owner})`

const isOpen = (now: number) =>
  and(isNull(codes.usedAt), sql`${codes.tries} < ${OTP.tries}`, sql`${codes.expiresAt} > ${now}`)

/** Condition: this answer would be right. */
export const isOtpRight = (key: OtpKey, answer: string, now: number): SQL =>
  sql`exists (select 1 from ${codes} where ${and(isLatest(key), isOpen(now), eq(codes.answer, answer))})`

/** Refuses the batch if a parallel call has consumed the code. Runs before `consumeOtp`. */
export const guardOtpUnused = (db: Db, id: number) =>
  guard(db, sql`exists (select 1 from codes where id = ${id} and used_at is null)`, violation('CODE_WRONG'))

export const consumeOtp = (db: Db, id: number, now: number) =>
  db.update(codes).set({ usedAt: now }).where(eq(codes.id, id))

/** Consumes the latest code if it is right, for a call with no other write. Runs after `recordOtpAttempt`. */
export const consumeOtpIfRight = (db: Db, key: OtpKey, answer: string, now: number) =>
  db
    .update(codes)
    .set({ usedAt: now })
    .where(and(isLatest(key), isOpen(now), eq(codes.answer, answer)))

/** Condition: `consumeOtpIfRight` of the same batch found the code right. */
export const isConsumedNow = (key: OtpKey, answer: string, now: number): SQL =>
  sql`exists (select 1 from ${codes} where ${and(isLatest(key), eq(codes.answer, answer), eq(codes.usedAt, now))})`

/** Condition: the latest code is this one, not too old, and has been consumed. */
export const isConsumed = (key: OtpKey, answer: string, now: number): SQL =>
  sql`exists (select 1 from ${codes}
    where ${and(isLatest(key), eq(codes.answer, answer), isNotNull(codes.usedAt), sql`${codes.expiresAt} > ${now}`)})`

/*
 * The identity step: a code to the account's own contact proves the session that typed it, until a time and for one change.
 */

type ProvedSession = Pick<Session, 'id' | 'accountId'>

const isProved = ({ id, accountId }: ProvedSession, now: number): SQL =>
  sql`exists (select 1 from sessions
    where id = ${id} and account_id = ${accountId} and ended_at is null and proved_until > ${now})`

/** One row if this session is proved and `when` holds. */
export const selectProved = (db: Db, session: ProvedSession, now: number, when: SQL = sql`true`) =>
  db.all<[number]>(sql`select 1 where ${isProved(session, now)} and ${when}`)

/** Proves the session if `when` holds. Runs before the statement that consumes the code. */
export const proveSession = (db: Db, { id, accountId }: ProvedSession, until: number, when: SQL) =>
  db
    .update(sessions)
    .set({ provedUntil: until })
    .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId), when))

/** Refuses the batch unless the session is proved, and uses up the proof: of parallel changes only one succeeds. */
export const consumeProof = (db: Db, session: ProvedSession, now: number) => ({
  proved: guard(db, isProved(session, now), violation('IDENTITY_REQUIRED')),
  spent: db
    .update(sessions)
    .set({ provedUntil: 0 })
    .where(and(eq(sessions.id, session.id), eq(sessions.accountId, session.accountId))),
})

export const insertCaptcha = (db: Db, row: typeof captchas.$inferInsert) => db.insert(captchas).values(row)

/** Condition: the captcha is correct. Put `consumeCaptcha` after the statements that use it. */
export const isCaptchaValid = (uniqid: string, answer: string, now: number): SQL =>
  sql`exists (select 1 from captchas where uniqid = ${uniqid} and answer = ${answer} and expires_at > ${now})`

/** Consumes a captcha, correct or not, and returns it. */
export const consumeCaptcha = (db: Db, uniqid: string) =>
  db
    .delete(captchas)
    .where(eq(captchas.uniqid, uniqid))
    .returning({ answer: captchas.answer, expiresAt: captchas.expiresAt })
