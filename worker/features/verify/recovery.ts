import { refuse, throwIf } from '../../contract/errors.ts'
import { auditRow } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { updatePassword } from '../../db/accounts.ts'
import { consumeCaptcha, isCaptchaValid } from '../../db/captchas.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { consumeOtpIfValid, insertOtp, recordOtpAttempt, selectSendCounts } from '../../db/otp.ts'
import { endSessionsByUser } from '../../db/sessions.ts'
import { selectUserByLoginName, userIdSql } from '../../db/users.ts'
import { type LoginName, readLoginName } from '../../domain/account/login-name.ts'
import { maskEmail, maskPhone } from '../../domain/account/mask.ts'
import { checkPassword } from '../../domain/account/password.ts'
import { decoyContact } from '../../domain/verify/decoy-contact.ts'
import { checkOtp } from '../../domain/verify/otp.ts'
import type { Ctx } from '../../http/context.ts'
import { provenClient } from '../../http/hash-client.ts'
import { captchaHash, isCaptchaRight, otpHash } from '../../security/one-time.ts'
import { hmac, randomToken } from '../../security/secrets.ts'
import { newCode, refuseSending, sendTo } from './code.ts'
import { finishRecovery, guardRecoveryVerified, insertRecovery, selectRecovery, verifyRecovery } from './queries.ts'

/*
 * Password recovery in three steps. An unknown name takes the same path: same answers, same statements, same time. Its
 * id ends in a keyed digest of the name, which gives it a decoy contact and a decoy target to count against.
 */

const RECOVERY_TTL_MS = 30 * 60_000
type SendType = 'phone' | 'email'

/** Step 1: where a code could go. */
export async function findPassword(ctx: Ctx, input: { username: string; img_code: string; uniqid: string }) {
  const { db, now, env } = ctx
  const name = readLoginName(input.username)
  const digest = await hmac(env.HMAC_SECRET, `recovery:${input.username.toLowerCase()}`)
  const uniqid = `${randomToken(12)}.${digest.slice(0, DIGEST_LENGTH)}`
  const typed = await captchaHash(env.HMAC_SECRET, 'find_password', input.uniqid, input.img_code)
  const { users, captcha } = await batch(db, {
    users: selectUserByLoginName(db, name),
    recovery: insertRecovery(db, {
      uniqid,
      accountId: userIdSql(db, name),
      expiresAt: now + RECOVERY_TTL_MS,
      when: isCaptchaValid(input.uniqid, typed, now),
    }),
    captcha: consumeCaptcha(db, input.uniqid),
  })
  if (!isCaptchaRight(captcha[0], typed, now)) refuse('IMG_CODE_WRONG')
  const [user] = users
  const own = user && { phone: maskPhone(user.areaCode, user.phone), email: maskEmail(user.email) }
  return { uniqid, ...(own ?? toDecoyContact(name, digest)) }
}

/**
 * Step 2: send the code. Delivery runs in waitUntil and its failure is only logged, so that neither time nor answer
 * reveals whether the account exists. The wait for the next code is the same.
 */
export async function sendRecoveryCode(ctx: Ctx, uniqid: string, sendType: SendType): Promise<void> {
  const { db, now, ipBlock: ip, env } = ctx
  const { key, isDecoy } = await requireRecovery(ctx, uniqid, sendType)
  const code = newCode()
  const answer = await otpHash(env.HMAC_SECRET, key.purpose, code)
  const { counts, stored } = await batch(db, {
    counts: selectSendCounts(db, key, ip, now),
    stored: insertOtp(db, key, { answer, ip, now }),
  })
  if (!stored[0]) return refuseSending(ctx, counts[0])
  if (!isDecoy) ctx.waitUntil(sendTo(ctx.outside, { send_type: sendType, send_value: key.target }, code, uniqid))
}

/** Step 2: check the code. */
export async function authenticate(ctx: Ctx, uniqid: string, sendType: SendType, code: string): Promise<void> {
  const { db, now, env } = ctx
  const { key } = await requireRecovery(ctx, uniqid, sendType)
  const answer = await otpHash(env.HMAC_SECRET, key.purpose, code)
  const { consumed, attempts } = await batch(db, {
    consumed: consumeOtpIfValid(db, key, answer, now),
    verified: verifyRecovery(db, uniqid, key, answer, now),
    attempts: recordOtpAttempt(db, key, now),
  })
  throwIf(checkOtp(consumed[0] ? { tries: 0 } : attempts[0], consumed[0] !== undefined))
}

/** Step 3: sets the new password and ends all sessions of the old one. */
export async function resetPassword(ctx: Ctx, uniqid: string, password: string): Promise<void> {
  const { db, now } = ctx
  const [recovery] = await selectRecovery(db, uniqid, now)
  if (recovery?.step !== 'verified' || recovery.accountId === null) return refuse('RECOVERY_STEP')
  const { accountId, nickname, email, phone } = recovery
  const username = recovery.username ?? ''
  throwIf(checkPassword(password, { names: [username, nickname, email], phone }))
  const client = provenClient(ctx, `account:${accountId}`)
  const check = { password, stored: recovery.password }
  const { hash } = await ctx.passwords.run(client, { check, hash: { password, ifRight: false } })
  if (hash === null) return refuse('PASSWORD_UNCHANGED')
  await batch(db, {
    verified: guardRecoveryVerified(db, uniqid, now),
    recovery: finishRecovery(db, uniqid),
    password: updatePassword(db, accountId, hash),
    sessions: endSessionsByUser(db, { accountId, ramId: null }, now),
    audit: auditRow(
      ctx,
      { module: 'verify', action: 'reset_password', target: username, message: '通过找回密码重置了登录密码' },
      { accountId, kind: 'main', id: accountId, name: username },
    ),
    hubs: notifyHubs(ctx, refreshTasks('account', recovery.hub === null ? [] : [recovery.hub])),
  })
}

const DIGEST_LENGTH = 22

/** The code of a recovery whose step 1 is done: the account's own phone or e-mail, else a decoy target. */
async function requireRecovery(ctx: Ctx, uniqid: string, sendType: SendType) {
  const [recovery] = await selectRecovery(ctx.db, uniqid, ctx.now)
  if (recovery?.step !== 'found') return refuse('RECOVERY_STEP')
  const { accountId, status, areaCode, phone, email } = recovery
  const own = sendType === 'phone' ? phone && `+${areaCode} ${phone}` : email
  const target = (status === 1 && own) || decoyTarget(uniqid, sendType)
  return { key: { purpose: 'find_password' as const, target, accountId }, isDecoy: target !== own }
}

const decoyTarget = (uniqid: string, sendType: SendType): string => `nobody:${uniqid.slice(-DIGEST_LENGTH)}:${sendType}`

const toDecoyContact = (name: LoginName, digest: string) => decoyContact(name, new TextEncoder().encode(digest))
