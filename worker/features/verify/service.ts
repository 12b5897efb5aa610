import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import type { CodeMessage, Outside } from '#contract/kernel/outside.ts'
import { violation } from '#contract/kernel/result.ts'
import type { CodePurpose } from '#contract/verify/index.ts'
import { type OtpSender, deleteOtp, insertOtp, selectSendTimes } from './sql/codes.ts'
import { guardWork, selectFailures } from './sql/failures.ts'
import { readContact } from '#domain/account/contact.ts'
import { codeMail } from '#domain/mail/code.ts'
import { type SendTimes, checkSendTimes } from '#domain/verify/otp.ts'
import { randomText, sha256 } from '#security/secrets.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { faultText, log } from '#http/log.ts'
import { OTP, CAPTCHA } from '#contract/verify/limits.ts'
import { batch, type Statements } from '#db/batch.ts'
import { type Condition, guard, parseGuardFailure } from '#db/guard.ts'
import { isWithinLimit, recordAttempt } from '#db/rate-limit.ts'
import { requireRow } from '#db/require-row.ts'
import { personKey } from '#domain/account/user.ts'
import { hostOfAccount } from '#domain/site/brand.ts'
import { provenBits, allowedFailures, requiredBits } from '#domain/verify/proof-of-work.ts'
import { selectAccountHost, selectContacts } from '#features/account/sql/accounts.ts'
import { readChallenge } from '#security/challenge.ts'
import { otpHash, workDigest } from '#security/one-time.ts'

/* Proof of work for repeated failures, and sending of one-time codes, for sign-in, registration and recovery. */

interface Spent {
  readonly uniqid: string
  /** Nonce of the work for the captcha (contract/kernel/fields.ts). */
  readonly nonce?: string | undefined
}

/** Account whose failures count besides those of the address, and the field of the refusal (default `code`). */
interface Counted {
  readonly account: Condition | string
  readonly field?: string
}

/**
 * Runs the batch of a call that consumes a captcha. If repeated failures require more work, the batch is refused with the
 * required difficulty, and the captcha stays valid.
 */
export async function batchWithWork<const S extends Statements>(
  ctx: Ctx,
  { uniqid, nonce }: Spent,
  counted: Counted,
  statements: S,
) {
  const bits = nonce === undefined ? 0 : provenBits(await workDigest(uniqid, nonce))
  return batchWithBits(ctx, bits, counted, statements)
}

interface Solved {
  readonly challenge?: string | undefined
  readonly nonce?: string | undefined
}

/** Work done for a challenge of this purpose (0 bits for none), and the statements that let the challenge count once. */
export async function consumeChallenge({ db, env, now }: Ctx, { challenge = '', nonce = '' }: Solved, purpose: string) {
  const found = challenge === '' ? null : await readChallenge(env.HMAC_SECRET, challenge, now)
  const bits = found?.purpose === purpose ? provenBits(await sha256(`${challenge}.${nonce}`)) : 0
  const used = `proof:${found?.id}`
  const isSpent = bits > 0
  return {
    bits,
    statements: {
      used: isSpent && recordAttempt(db, used, CAPTCHA.minutes * 60_000, now),
      once: isSpent && guard(db, isWithinLimit(used, 1), violation('CHALLENGE_WRONG')),
    },
  }
}

/** Runs the batch of a sign-in without a captcha, whose work was done for a challenge. */
export async function batchWithChallenge<const S extends Statements>(
  ctx: Ctx,
  solved: Solved,
  { purpose, ...counted }: Counted & { readonly purpose: string },
  statements: S,
) {
  const { bits, statements: spent } = await consumeChallenge(ctx, solved, purpose)
  return batchWithBits(ctx, bits, counted, { ...spent, ...statements })
}

async function batchWithBits<const S extends Statements>(
  ctx: Ctx,
  bits: number,
  { account, field }: Counted,
  statements: S,
) {
  const work = guardWork(ctx.db, account, ctx, allowedFailures(bits), ctx.now)
  try {
    return await batch(ctx.db, { work, ...statements })
  } catch (error) {
    const found = parseGuardFailure(error)
    if (!(found instanceof Refusal) || found.violation.key !== 'WORK_REQUIRED') throw found
    const { failures } = await batch(ctx.db, { failures: selectFailures(ctx.db, ctx, ctx.now, account) })
    const [address, wideBlock, atAccount] = failures[0] ?? [0, 0, 0]
    return refuse('WORK_REQUIRED', { difficulty: requiredBits({ address, wideBlock, account: atAccount }) }, field)
  }
}

export interface OtpRecipient {
  readonly send_type: 'phone' | 'email'
  readonly send_value: string
}

export const newCode = (): string => randomText('0123456789', OTP.length)

/** Sender of a code who is known only by address. */
export function visitorOf({ ipBlock, ipWideBlock }: Ctx): OtpSender {
  return { kind: 'visitor', key: ipWideBlock, accountId: null, address: ipBlock }
}

export async function sendTo(outside: Outside, to: OtpRecipient, message: CodeMessage): Promise<void> {
  if (to.send_type === 'phone') return outside.sms.sendCode(to.send_value, message)
  return outside.mail.send(to.send_value, { ...message, ...codeMail(message) })
}

/** Recipient in the form of a code's row. */
export const targetOf = (to: OtpRecipient): string => readContact(to.send_type, to.send_value).target

/** Sends a code. If that fails, its row is deleted and does not count. */
export async function deliverCode(ctx: Ctx, codeId: number, send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    await deleteOtp(ctx.db, codeId)
    if (error instanceof Refusal) throw error // the country is closed, or its day is full
    log('error', 'code_not_sent', { requestId: ctx.requestId, error: faultText(error) })
    refuse('SEND_FAILED')
  }
}

/** Refuses by the limits of the insert, on rows of the same transaction. */
export function refuseSending({ now }: Ctx, times: SendTimes): never {
  throwIf(checkSendTimes(times, now))
  throw new Error('a code was not stored although every limit allows it')
}

/** Sends a code to a phone or e-mail of the signed-in person: a new one, or the own one. */
export async function sendAccountCode(ctx: Ctx, purpose: CodePurpose, to: OtpRecipient): Promise<void> {
  const { db, now, env } = ctx
  const sender = personOf(ctx)
  const key = { purpose, target: targetOf(to), owner: sender.key }
  const code = newCode()
  const answer = await otpHash(env.HMAC_SECRET, purpose, code)
  const { times, stored, account } = await batch(db, {
    times: selectSendTimes(db, key, sender, now),
    stored: insertOtp(db, key, sender, { answer, now }),
    account: selectAccountHost(db, requireAccountId(ctx)),
  })
  if (!stored[0]) return refuseSending(ctx, times)
  const message = { code, purpose, host: hostOfAccount(account[0]?.host ?? '') }
  await deliverCode(ctx, stored[0][0], () => sendTo(ctx.outside, to, message))
}

export async function requireOwnContact(ctx: Ctx, sendType: OtpRecipient['send_type']): Promise<OtpRecipient> {
  const account = await requireRow(selectContacts(ctx.db, requireAccountId(ctx)), 'SESSION_REVOKED')
  const { areaCode, phone, email } = account
  if (sendType === 'email') return email ? { send_type: 'email', send_value: email } : refuse('EMAIL_UNSET')
  return phone ? { send_type: 'phone', send_value: `+${areaCode} ${phone}` } : refuse('PHONE_UNSET')
}

function personOf(ctx: Ctx): OtpSender {
  const session = requireSession(ctx)
  const { accountId, grants } = session
  return { kind: grants.kind, key: personKey(session), accountId, address: ctx.ipBlock }
}
