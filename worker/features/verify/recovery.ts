import { refuse, throwIf } from '../../contract/errors.ts'
import { type LoginName, readLoginName } from '../../domain/account/login-name.ts'
import { maskEmail, maskPhone } from '../../domain/account/mask.ts'
import { fakeContact } from '../../domain/verify/fake-contact.ts'
import type { Ctx } from '../../http/context.ts'
import { hashPassword } from '../../security/password.ts'
import { hmac, randomToken } from '../../security/secrets.ts'
import { setPassword } from '../account/queries.ts'
import { auditRow } from '../audit/queries.ts'
import { endSessionsOf, idByLoginName, userByLoginName } from '../login/queries.ts'
import { newCode, refuseSending, sendTo } from './code.ts'
import {
  captchaAnswer,
  codeAnswer,
  codeCounts,
  finishRecovery,
  insertCode,
  insertRecovery,
  isCaptcha,
  isCaptchaRow,
  isRecoveryAt,
  recoveryAccount,
  recoveryById,
  recoveryTarget,
  spendCode,
  takeCaptcha,
  tryCode,
  verifyRecovery,
  wrongCode,
} from './queries.ts'

/*
 * A forgotten password in three steps. A name nobody has walks the same way: same answers, same statements, same time.
 * Its id ends in a keyed hash of the name, which gives it made-up contacts and a target of its own to count against.
 */

const WALK_MS = 30 * 60_000
type SendType = 'phone' | 'email'

/** Step 1: where a code could go. */
export async function findPassword(ctx: Ctx, input: { username: string; img_code: string; uniqid: string }) {
  const { db, now, env } = ctx
  const name = readLoginName(input.username)
  const tag = await hmac(env.HMAC_SECRET, `recovery:${input.username.toLowerCase()}`)
  const uniqid = `${randomToken(12)}.${tag.slice(0, TAG_LENGTH)}`
  const typed = await captchaAnswer(env.HMAC_SECRET, 'find_password', input.uniqid, input.img_code)
  const [[user], , [captcha]] = await db.batch([
    userByLoginName(db, name),
    insertRecovery(db, {
      uniqid,
      accountId: idByLoginName(db, name),
      expiresAt: now + WALK_MS,
      when: isCaptcha(input.uniqid, typed, now),
    }),
    takeCaptcha(db, input.uniqid),
  ])
  if (!isCaptchaRow(captcha, typed, now)) refuse('IMG_CODE_WRONG')
  const own = user && { phone: maskPhone(user.areaCode, user.phone), email: maskEmail(user.email) }
  return { uniqid, ...(own ?? fakeOf(name, tag)) }
}

/**
 * Step 2: send the code. Delivery goes on behind the answer, so that its time tells nothing; nor does its failure, which
 * is only logged, and the wait for the next code is the same.
 */
export async function sendRecoveryCode(ctx: Ctx, uniqid: string, sendType: SendType): Promise<void> {
  const { db, now, ipBlock: ip, env } = ctx
  const key = recoveryKey(uniqid, sendType)
  const code = newCode()
  const answer = await codeAnswer(env.HMAC_SECRET, key.purpose, code)
  const [[recovery], [counts], [stored]] = await db.batch([
    recoveryById(db, uniqid, now),
    codeCounts(db, key, ip, now),
    insertCode(db, key, { answer, ip, now, when: isRecoveryAt(uniqid, 'found', now) }),
  ])
  if (recovery?.step !== 'found') return refuse('RECOVERY_STEP')
  if (!stored) return refuseSending(ctx, counts)
  const [, target] = stored
  if (target === nowhere(uniqid, sendType)) return
  ctx.waitUntil(sendTo(ctx.outside, { send_type: sendType, send_value: target }, code, uniqid))
}

/** Step 2: check the code. */
export async function authenticate(ctx: Ctx, uniqid: string, sendType: SendType, code: string): Promise<void> {
  const { db, now, env } = ctx
  const key = recoveryKey(uniqid, sendType)
  const answer = await codeAnswer(env.HMAC_SECRET, key.purpose, code)
  const [[recovery], [spent], , [tried]] = await db.batch([
    recoveryById(db, uniqid, now),
    spendCode(db, key, answer, now, isRecoveryAt(uniqid, 'found', now)),
    verifyRecovery(db, uniqid, key, answer, now),
    tryCode(db, key, now),
  ])
  if (recovery?.step !== 'found') refuse('RECOVERY_STEP')
  if (!spent) throwIf(wrongCode(tried))
}

/** Step 3: the new password; whoever was signed in with the old one is out. */
export async function resetPassword(ctx: Ctx, uniqid: string, password: string): Promise<void> {
  const { db, now } = ctx
  const [recovery] = await recoveryById(db, uniqid, now)
  if (recovery?.step !== 'verified' || recovery.accountId === null) return refuse('RECOVERY_STEP')
  const { accountId, username } = recovery
  const [, , , ended] = await db.batch([
    ...finishRecovery(db, uniqid, now),
    setPassword(db, accountId, await hashPassword(password)),
    endSessionsOf(db, { accountId, ramId: null }, now),
    auditRow(
      ctx,
      { module: 'verify', action: 'reset_password', target: username ?? '', message: '通过找回密码重置了登录密码' },
      { accountId, kind: 'main', id: accountId, name: username ?? '' },
    ),
  ])
  ctx.waitUntil(ctx.hubs.account(accountId).endSessions(ended.map(({ id }) => id)))
}

const TAG_LENGTH = 22

const recoveryKey = (uniqid: string, sendType: SendType) => ({
  purpose: 'find_password' as const,
  target: recoveryTarget(uniqid, sendType, nowhere(uniqid, sendType)),
  accountId: recoveryAccount(uniqid),
})

const nowhere = (uniqid: string, sendType: SendType): string => `nobody:${uniqid.slice(-TAG_LENGTH)}:${sendType}`

const fakeOf = (name: LoginName, tag: string) => fakeContact(name, new TextEncoder().encode(tag))
