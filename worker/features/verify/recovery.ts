import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { RECOVERY_WAYS, type verifyApi } from '#contract/verify/index.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { updateAccount } from '#features/account/sql/accounts.ts'
import { recordAccountFailure, recordAddressFailure } from './sql/failures.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import {
  consumeOtpIfRight,
  insertOtp,
  recordOtpAttempt,
  selectSendTimes,
  consumeCaptcha,
  isCaptchaValid,
} from './sql/codes.ts'
import { endSessionsByUser } from '#features/login/sql/sessions.ts'
import { forgetFailures } from '#features/login/sql/attempts.ts'
import { userIdSql } from '#features/account/sql/users.ts'
import { maskEmail, maskPhone, contactsOf } from '#domain/account/contact.ts'
import { nameKey, readLoginName } from '#domain/account/login-name.ts'
import { checkPassword } from '#domain/account/password.ts'
import { recoveryNotice } from '#domain/account/security-notice.ts'
import { hostOfAccount } from '#domain/site/brand.ts'
import { checkOtp } from '#domain/verify/otp.ts'
import type { Ctx } from '#http/context.ts'
import { provenClient } from '#http/hash-client.ts'
import { newCode, refuseSending, sendTo, visitorOf, batchWithWork } from './service.ts'
import { insertSecurityMessage, sendSecurityNotice } from '#features/account/service.ts'
import { captchaHash, isCaptchaRight, otpHash, recoveryKey } from '#security/one-time.ts'
import { hmac, randomToken } from '#security/secrets.ts'
import {
  finishRecovery,
  guardRecoveryVerified,
  insertRecovery,
  isRecoveryAnswerRight,
  selectRecovery,
  selectRecoveryVerified,
  verifyRecovery,
} from './sql/recovery.ts'

/*
 * Password recovery in three steps. An unknown name takes the same path: same answers, statements and time. All counters
 * have the parsed name as key, never the account.
 */

type Api = typeof verifyApi

const RECOVERY_TTL_MS = 30 * 60_000
type SendType = 'phone' | 'email'

/** Step 1: opens a recovery. The ways are the same for every name; masked contacts follow after a right code. */
export async function findPassword(ctx: Ctx, input: Parsed<Api['findPassword']>) {
  const { db, now, env } = ctx
  const name = readLoginName(input.username)
  const uniqid = randomToken(16)
  const typed = await captchaHash(env.HMAC_SECRET, 'find_password', input.uniqid, input.img_code)
  const nameHash = await hmac(env.HMAC_SECRET, `recovery:${nameKey(name)}`)
  const isRead = isCaptchaValid(input.uniqid, typed, now)
  const { captcha } = await batchWithWork(
    ctx,
    input,
    { account: recoveryKey(nameHash), field: 'img_code' },
    {
      ...recordAddressFailure(db, ctx, now, isRead),
      recovery: insertRecovery(db, {
        uniqid,
        name: nameHash,
        accountId: userIdSql(db, name),
        expiresAt: now + RECOVERY_TTL_MS,
        when: isRead,
      }),
      captcha: consumeCaptcha(db, input.uniqid),
    },
  )
  if (!isCaptchaRight(captcha[0], typed, now)) refuse('IMG_CODE_WRONG')
  return { uniqid, ...RECOVERY_WAYS }
}

/**
 * Step 2: sends the code. Delivery starts after the answer, and a failure is only logged: neither time nor answer reveals
 * an account.
 */
export async function sendRecoveryCode(ctx: Ctx, { uniqid, send_type: sendType }: Parsed<Api['findPasswordCode']>) {
  const { db, now, env, outside } = ctx
  const { key, contact, recovery } = await requireRecovery(ctx, uniqid, sendType)
  const sender = visitorOf(ctx)
  const code = newCode()
  const answer = await otpHash(env.HMAC_SECRET, key.purpose, contact === null ? randomToken(16) : code)
  const { times, stored } = await batch(db, {
    times: selectSendTimes(db, key, sender, now),
    stored: insertOtp(db, key, sender, { answer, now }),
  })
  if (!stored[0]) return refuseSending(ctx, times)
  ctx.afterAnswer(() =>
    contact === null
      ? outside.sendNothing()
      : sendTo(
          outside,
          { send_type: sendType, send_value: contact },
          { code, uniqid, purpose: key.purpose, host: hostOfAccount(recovery.host ?? ''), isByName: true },
        ),
  )
}

/**
 * Step 2: checks the code. The answer shows the account's masked contacts; it is repeated if it was lost. Until the
 * password is set, the same code does nothing further.
 */
export async function authenticate(ctx: Ctx, { uniqid, send_type: sendType, code }: Parsed<Api['authentication']>) {
  const { db, now, env } = ctx
  const { key, nameHash, recovery } = await requireRecovery(ctx, uniqid, sendType, ['found', 'verified'])
  const answer = await otpHash(env.HMAC_SECRET, key.purpose, code)
  const isRight = isRecoveryAnswerRight(uniqid, key, answer, now)
  const { attempts, verified } = await batch(db, {
    ...recordAddressFailure(db, ctx, now, isRight),
    byName: recordAccountFailure(db, recoveryKey(nameHash), now, isRight),
    attempts: recordOtpAttempt(db, key, answer, now),
    consumed: consumeOtpIfRight(db, key, answer, now),
    step: verifyRecovery(db, uniqid, key, answer, now),
    verified: selectRecoveryVerified(db, uniqid, key, answer, now),
  })
  if (!verified[0]) {
    if (recovery.step === 'verified') return refuse('RECOVERY_STEP')
    throwIf(checkOtp(attempts[0]))
  }
  const { areaCode, phone, email } = recovery
  return { phone: maskPhone(areaCode ?? '', phone), email: maskEmail(email) }
}

/**
 * Step 3: sets the new password and ends all sessions. A repeated call with the same password, whose answer was lost, gets
 * the same answer and changes nothing.
 */
export async function resetPassword(ctx: Ctx, { uniqid, password }: Parsed<Api['resetPassword']>): Promise<void> {
  const { db, now } = ctx
  const [recovery] = await selectRecovery(db, uniqid, now)
  const isDone = recovery?.step === 'done'
  if (!recovery || (recovery.step !== 'verified' && !isDone) || recovery.accountId === null)
    return refuse('RECOVERY_STEP')
  const { accountId, nickname, email, phone, areaCode } = recovery
  const username = recovery.username ?? ''
  throwIf(checkPassword(password, { names: [username, nickname, email], phone }))
  const client = provenClient(ctx, `account:${accountId}`)
  const check = { password, stored: recovery.password }
  const { hash } = await ctx.passwords.run(client, { check, hash: { password, ifRight: false } })
  if (isDone) return hash === null ? undefined : refuse('RECOVERY_STEP')
  if (hash === null) return refuse('PASSWORD_UNCHANGED')
  const notice = recoveryNotice(username, ctx)
  await batch(db, {
    verified: guardRecoveryVerified(db, uniqid, now),
    recovery: finishRecovery(db, uniqid),
    password: updateAccount(db, accountId, { password: hash }),
    failures: forgetFailures(db, `main:${accountId}`),
    sessions: endSessionsByUser(db, { accountId, ramId: null }, now),
    message: insertSecurityMessage(ctx, accountId, notice),
    audit: auditRow(
      ctx,
      { module: 'verify', action: 'reset_password', target: username, message: '通过找回密码重置了登录密码' },
      { accountId, kind: 'main', id: accountId, name: username },
    ),
    hubs: notifyHubs(ctx, refreshTasks('account', recovery.hub === null ? [] : [recovery.hub])),
  })
  const has = contactsOf({ areaCode: areaCode ?? '', phone, email })
  sendSecurityNotice(ctx, notice, { host: recovery.host ?? '', phones: [has.phone], emails: [has.email] })
}

/** Recovery at one of the steps, and the recipient of its code: null without an enabled account with this contact. */
async function requireRecovery(ctx: Ctx, uniqid: string, sendType: SendType, steps: readonly string[] = ['found']) {
  const [recovery] = await selectRecovery(ctx.db, uniqid, ctx.now)
  if (recovery === undefined || !steps.includes(recovery.step)) return refuse('RECOVERY_STEP')
  const { name, status, areaCode, phone, email } = recovery
  const own = sendType === 'phone' ? phone && `+${areaCode} ${phone}` : email
  const nameHash = name || uniqid // a recovery of the former release has no name
  const key = { purpose: 'find_password' as const, target: `${sendType}:${nameHash}`, owner: uniqid }
  return { recovery, key, nameHash, contact: (status === 1 && own) || null }
}
