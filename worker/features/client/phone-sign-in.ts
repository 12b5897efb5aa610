import type { clientApi } from '#contract/client/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import { batch } from '#db/batch.ts'
import { recordAddressFailure } from '#features/verify/sql/failures.ts'
import {
  type OtpKey,
  consumeOtp,
  guardOtpUnused,
  insertOtp,
  isOtpRight,
  recordOtpAttempt,
  selectSendTimes,
} from '#features/verify/sql/codes.ts'
import { checkSmsQuota, selectSmsQuota } from '#db/sms-countries.ts'
import { LOGIN_FAILURE } from '#domain/client/member.ts'
import { hostOfAccount } from '#domain/site/brand.ts'
import { checkOtp } from '#domain/verify/otp.ts'
import type { Ctx } from '#http/context.ts'
import { newCode, refuseSending, sendTo, visitorOf, consumeChallenge } from '#features/verify/service.ts'
import { otpHash } from '#security/one-time.ts'
import { randomToken } from '#security/secrets.ts'
import { guardPhone, selectMembersByPhone, insertLoginRecords } from './sql/members.ts'
import { openSession } from './session.ts'

/* Sign-in of a software member at the client by a code sent to its phone. */

type Api = typeof clientApi

/** The code belongs to one sign-in: nobody else can try, spend or replace it. */
const createOtpKey = (uniqid: string, target: string): OtpKey => ({ purpose: 'client_login', target, owner: uniqid })

const targetOf = ({ area_code, phone }: { readonly area_code: string; readonly phone: string }) =>
  `+${area_code} ${phone}`

/**
 * Sends a code after the answer. For a phone without a member it stores a code that nobody can type, and sends nothing.
 * Each message costs the sender a proof of work, so that nobody gets messages to a known phone for free.
 */
export async function sendPhoneCode(ctx: Ctx, input: Parsed<Api['phone']>): Promise<Output<Api['phone']>> {
  const { db, now, env, outside } = ctx
  const target = targetOf(input)
  const uniqid = randomToken(16)
  const key = createOtpKey(uniqid, target)
  const sender = visitorOf(ctx)
  const work = await consumeChallenge(ctx, input, 'client_login')
  if (work.bits === 0) return refuse('CHALLENGE_WRONG')
  const { members, smsQuota } = await batch(db, {
    members: selectMembersByPhone(db, input.area_code, input.phone, now),
    smsQuota: selectSmsQuota(db, input.area_code, 'sent', now),
  })
  throwIf(checkSmsQuota(smsQuota)) // also for a phone without a member
  const isKnown = members.length > 0
  const code = newCode()
  const answer = await otpHash(env.HMAC_SECRET, key.purpose, isKnown ? code : randomToken(16))
  const { times, stored } = await batch(db, {
    ...work.statements,
    times: selectSendTimes(db, key, sender, now),
    stored: insertOtp(db, key, sender, { answer, now }),
  })
  if (!stored[0]) return refuseSending(ctx, times)
  ctx.afterAnswer(() =>
    isKnown
      ? sendTo(
          outside,
          { send_type: 'phone', send_value: target },
          { code, uniqid, purpose: key.purpose, host: hostOfAccount(members[0]?.host ?? ''), isByName: true },
        )
      : outside.sendNothing(),
  )
  return { uniqid }
}

/** Signs in by a code. A right code costs no try, so that a person with several members can see the choices first. */
export async function signInByPhone(ctx: Ctx, input: Parsed<Api['phoneLogin']>): Promise<Output<Api['phoneLogin']>> {
  const { db, now, env } = ctx
  const key = createOtpKey(input.uniqid, targetOf(input))
  const typed = await otpHash(env.HMAC_SECRET, key.purpose, input.code)
  const found = await batch(db, {
    ...recordAddressFailure(db, ctx, now, isOtpRight(key, typed, now)),
    attempts: recordOtpAttempt(db, key, typed, now),
    members: selectMembersByPhone(db, input.area_code, input.phone, now),
  })
  const [attempt] = found.attempts
  const wrong = checkOtp(attempt)
  if (wrong || !attempt) {
    // A call without a code sent for this phone is no sign-in: strangers must not fill the records.
    await insertLoginRecords(ctx, attempt ? found.members : [], input, LOGIN_FAILURE.code)
    throw wrong ? new Refusal(wrong) : new Error('a code without a row')
  }
  const { members } = found
  const choice = input.router_name?.toLowerCase()
  const member =
    choice === undefined
      ? members.length === 1 && members[0]
      : members.find(({ name }) => name.toLowerCase() === choice)
  if (!member) {
    if (choice !== undefined) return refuse('ROUTER_NOT_FOUND')
    const choices = members.map(({ name, note, status }) => ({ router_name: name, note, status }))
    return { session: null, choices }
  }
  const opened = await openSession(ctx, member, input)
  await batch(db, {
    unused: guardOtpUnused(db, attempt.id),
    code: consumeOtp(db, attempt.id, now),
    phone: guardPhone(db, member),
    ...opened.writes,
  })
  return { session: await opened.answer(), choices: [] }
}
