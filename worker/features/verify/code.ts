import { Refusal, refuse, throwIf } from '../../contract/errors.ts'
import { selectAccountHost } from '../../db/accounts.ts'
import { batch } from '../../db/batch.ts'
import { consumeCaptcha, isCaptchaValid } from '../../db/captchas.ts'
import { recordAddressFailure } from '../../db/failures.ts'
import {
  type CodePurpose,
  type OtpSender,
  deleteOtp,
  insertOtp,
  recordOtpAttempt,
  selectSendTimes,
} from '../../db/otp.ts'
import { readContact } from '../../domain/account/contact.ts'
import { hostOfAccount } from '../../domain/site/brand.ts'
import { checkOtp, personKey } from '../../domain/verify/otp.ts'
import { batchWithWork } from '../../http/captcha-work.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import { faultText, log } from '../../http/log.ts'
import { type OtpRecipient, newCode, refuseSending, sendTo, visitorOf } from '../../http/one-time-code.ts'
import { captchaHash, isCaptchaRight, otpHash, registrationKey } from '../../security/one-time.ts'

/** Registration code. It needs a captcha, which is consumed in any case; the code belongs to it. */
export async function sendRegisterCode(
  ctx: Ctx,
  input: OtpRecipient & { img_code: string; uniqid: string; nonce?: string | undefined },
): Promise<void> {
  const { db, now, env } = ctx
  const key = { purpose: 'register', target: toTarget(input), owner: input.uniqid } as const
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
  await deliver(ctx, stored[0][0], () => sendTo(ctx.outside, input, message))
}

/** Code for a phone or e-mail that the signed-in person wants to bind. */
export async function sendAccountCode(ctx: Ctx, purpose: CodePurpose, to: OtpRecipient): Promise<void> {
  const { db, now, env } = ctx
  const sender = personOf(ctx)
  const key = { purpose, target: toTarget(to), owner: sender.key }
  const code = newCode()
  const answer = await otpHash(env.HMAC_SECRET, purpose, code)
  const { times, stored, account } = await batch(db, {
    times: selectSendTimes(db, key, sender, now),
    stored: insertOtp(db, key, sender, { answer, now }),
    account: selectAccountHost(db, requireSession(ctx).accountId),
  })
  if (!stored[0]) return refuseSending(ctx, times)
  const message = { code, purpose, host: hostOfAccount(account[0]?.host ?? '') }
  await deliver(ctx, stored[0][0], () => sendTo(ctx.outside, to, message))
}

/** Checks a code and leaves it usable; a wrong one costs a try. */
export async function verifyAccountCode(ctx: Ctx, purpose: CodePurpose, to: OtpRecipient, code: string): Promise<void> {
  const key = { purpose, target: toTarget(to), owner: personKey(requireSession(ctx)) }
  const typed = await otpHash(ctx.env.HMAC_SECRET, purpose, code)
  const [attempt] = await recordOtpAttempt(ctx.db, key, typed, ctx.now)
  throwIf(checkOtp(attempt))
}

const toTarget = (to: OtpRecipient): string => readContact(to.send_type, to.send_value).target

function personOf(ctx: Ctx): OtpSender {
  const session = requireSession(ctx)
  const { accountId, grants } = session
  return { kind: grants.kind, key: personKey(session), accountId, address: ctx.ipBlock }
}

async function deliver(ctx: Ctx, codeId: number, send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    await deleteOtp(ctx.db, codeId)
    if (error instanceof Refusal) throw error // the country is closed, or its day is full
    log('error', 'code_not_sent', { requestId: ctx.requestId, error: faultText(error) })
    refuse('SEND_FAILED')
  }
}
