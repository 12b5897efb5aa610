import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { SESSION } from '#contract/login/limits.ts'
import { type CodePurpose, type verifyApi, OWN_PURPOSE } from '#contract/verify/index.ts'
import { batch } from '#db/batch.ts'
import { personKey } from '#domain/account/user.ts'
import { recordAddressFailure } from './sql/failures.ts'
import {
  insertOtp,
  recordOtpAttempt,
  selectSendTimes,
  consumeOtpIfRight,
  isConsumed,
  isOtpRight,
  proveSession,
  selectProved,
  consumeCaptcha,
  isCaptchaValid,
} from './sql/codes.ts'
import { checkOtp } from '#domain/verify/otp.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import {
  type OtpRecipient,
  deliverCode,
  newCode,
  refuseSending,
  sendAccountCode,
  sendTo,
  targetOf,
  visitorOf,
  batchWithWork,
  requireOwnContact,
} from './service.ts'
import { captchaHash, isCaptchaRight, otpHash, registrationKey } from '#security/one-time.ts'

/* One-time codes by SMS or mail: sent for registration and contacts, and checked; the identity step. */

type Api = typeof verifyApi

/** Sends a registration code. It needs a captcha, which is consumed in any case and owns the code. */
export async function sendRegisterCode(ctx: Ctx, input: Parsed<Api['register']>): Promise<void> {
  const { db, now, env } = ctx
  const key = { purpose: 'register', target: targetOf(input), owner: input.uniqid } as const
  const sender = visitorOf(ctx)
  const typed = await captchaHash(env.HMAC_SECRET, 'register', input.uniqid, input.img_code)
  const code = newCode()
  const answer = await otpHash(env.HMAC_SECRET, key.purpose, code)
  const account = await registrationKey(env.HMAC_SECRET, key.target)
  const isRead = isCaptchaValid(input.uniqid, typed, now)
  const { times, stored, captcha } = await batchWithWork(
    ctx,
    input,
    { account, field: 'img_code' },
    {
      ...recordAddressFailure(db, ctx, now, isRead),
      times: selectSendTimes(db, key, sender, now),
      stored: insertOtp(db, key, sender, { answer, now, when: isRead }),
      captcha: consumeCaptcha(db, input.uniqid),
    },
  )
  if (!isCaptchaRight(captcha[0], typed, now)) refuse('IMG_CODE_WRONG')
  if (!stored[0]) return refuseSending(ctx, times)
  const message = { code, purpose: key.purpose, host: ctx.host }
  await deliverCode(ctx, stored[0][0], () => sendTo(ctx.outside, input, message))
}

export const sendContactCode = (ctx: Ctx, { verify_type, ...to }: Parsed<Api['sendCode']>): Promise<void> =>
  sendAccountCode(ctx, verify_type, to)

/** Checks a code. Without a recipient it is the code of the identity step. */
export const verifyCode = (ctx: Ctx, { verify_type, code, send_type, send_value }: Parsed<Api['verify']>) =>
  send_value === undefined
    ? proveIdentity(ctx, send_type, code)
    : verifyAccountCode(ctx, verify_type, { send_type, send_value }, code)

/** Checks a code without consuming it; a wrong one costs a try. */
async function verifyAccountCode(ctx: Ctx, purpose: CodePurpose, to: OtpRecipient, code: string): Promise<void> {
  const key = { purpose, target: targetOf(to), owner: personKey(requireSession(ctx)) }
  const typed = await otpHash(ctx.env.HMAC_SECRET, purpose, code)
  const [attempt] = await recordOtpAttempt(ctx.db, key, typed, ctx.now)
  throwIf(checkOtp(attempt))
}

/**
 * Identity step: a code to the account's own contact proves this session, and is consumed. If the same session sends it
 * again, because the answer was lost, nothing changes.
 */
async function proveIdentity(ctx: Ctx, sendType: 'phone' | 'email', code: string): Promise<void> {
  const { db, now, env } = ctx
  const session = requireSession(ctx)
  const purpose = OWN_PURPOSE[sendType]
  const target = targetOf(await requireOwnContact(ctx, sendType))
  const key = { purpose, target, owner: personKey(session) }
  const typed = await otpHash(env.HMAC_SECRET, purpose, code)
  const { attempts, proved } = await batch(db, {
    attempts: recordOtpAttempt(db, key, typed, now),
    proof: proveSession(db, session, now + SESSION.provedMinutes * 60_000, isOtpRight(key, typed, now)),
    consumed: consumeOtpIfRight(db, key, typed, now),
    proved: selectProved(db, session, now, isConsumed(key, typed, now)),
  })
  if (!proved[0]) throwIf(checkOtp(attempts[0]))
}
