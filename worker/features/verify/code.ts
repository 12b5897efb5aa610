import { refuse, throwIf } from '../../contract/errors.ts'
import { OTP } from '../../contract/limits.ts'
import { readContact } from '../../domain/account/contact.ts'
import { codeMail } from '../../domain/verify/code-message.ts'
import { type Ctx, accountOf } from '../../http/context.ts'
import { faultText, log } from '../../http/log.ts'
import { randomText } from '../../security/secrets.ts'
import type { Outside } from '../../outside/outside.ts'
import {
  type CodePurpose,
  captchaAnswer,
  checkCode,
  checkCodeCounts,
  codeAnswer,
  codeCounts,
  deleteCode,
  insertCode,
  isCaptcha,
  isCaptchaRow,
  takeCaptcha,
  tryCode,
} from './queries.ts'

export interface Target {
  readonly send_type: 'phone' | 'email'
  readonly send_value: string
}

/** Code of a registration: a visitor pays with a captcha, which is gone whatever comes of it. */
export async function sendRegisterCode(ctx: Ctx, input: Target & { img_code: string; uniqid: string }): Promise<void> {
  const { db, now, ipBlock: ip, env } = ctx
  const key = { purpose: 'register', target: targetOf(input), accountId: null } as const
  const typed = await captchaAnswer(env.HMAC_SECRET, 'register', input.uniqid, input.img_code)
  const code = newCode()
  const answer = await codeAnswer(env.HMAC_SECRET, key.purpose, code)
  const [[counts], [stored], [captcha]] = await db.batch([
    codeCounts(db, key, ip, now),
    insertCode(db, key, { answer, ip, now, when: isCaptcha(input.uniqid, typed, now) }),
    takeCaptcha(db, input.uniqid),
  ])
  if (!isCaptchaRow(captcha, typed, now)) refuse('IMG_CODE_WRONG')
  if (!stored) return refuseSending(ctx, counts)
  await deliver(ctx, stored[0], () => sendTo(ctx.outside, input, code))
}

/** Code for a phone or e-mail that the signed-in account wants to bind. */
export async function sendAccountCode(ctx: Ctx, purpose: CodePurpose, to: Target): Promise<void> {
  const { db, now, ipBlock: ip, env } = ctx
  const key = { purpose, target: targetOf(to), accountId: accountOf(ctx) }
  const code = newCode()
  const answer = await codeAnswer(env.HMAC_SECRET, purpose, code)
  const [[counts], [stored]] = await db.batch([codeCounts(db, key, ip, now), insertCode(db, key, { answer, ip, now })])
  if (!stored) return refuseSending(ctx, counts)
  await deliver(ctx, stored[0], () => sendTo(ctx.outside, to, code))
}

/** Looks whether a code is right and leaves it usable; a wrong one costs a try. */
export async function verifyAccountCode(ctx: Ctx, purpose: CodePurpose, to: Target, code: string): Promise<void> {
  const key = { purpose, target: targetOf(to), accountId: accountOf(ctx) }
  const [row] = await tryCode(ctx.db, key, ctx.now)
  throwIf(checkCode(row, await codeAnswer(ctx.env.HMAC_SECRET, purpose, code)))
}

const targetOf = (to: Target): string => readContact(to.send_type, to.send_value).target

export const newCode = (): string => randomText('0123456789', OTP.length)

export async function sendTo(outside: Outside, to: Target, code: string, uniqid = ''): Promise<void> {
  if (to.send_type === 'phone') return outside.sms.sendCode(to.send_value, code, uniqid)
  const { subject, text } = codeMail(code)
  return outside.mail.send(to.send_value, subject, text, { code, uniqid })
}

/** The insert and this ask the same of the same rows; between them nothing can happen. */
export function refuseSending({ now }: Ctx, counts: Parameters<typeof checkCodeCounts>[0] | undefined): never {
  throwIf(counts ? checkCodeCounts(counts, now) : null)
  throw new Error('a code was not stored although every limit allows it')
}

async function deliver(ctx: Ctx, codeId: number, send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    log('error', 'code_not_sent', { requestId: ctx.requestId, error: faultText(error) })
    await deleteCode(ctx.db, codeId)
    refuse('SEND_FAILED')
  }
}
