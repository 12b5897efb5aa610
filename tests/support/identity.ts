import { env } from 'cloudflare:test'
import { desc, eq } from 'drizzle-orm'
import type { Input } from '#contract/kernel/endpoint.ts'
import { auditLogs, outbox, sessions } from '#db/schema/accounts.ts'
import { CAPTCHA_ALPHABET } from '#domain/verify/glyphs.ts'
import { captchaHash } from '#security/one-time.ts'
import { randomText, randomToken } from '#security/secrets.ts'
import { type Answer, type CallOptions, call, db } from './test-worker.ts'
import { PASSWORD } from './fixtures.ts'
import { loginApi } from '#contract/login/index.ts'
import { CAPTCHA } from '#contract/verify/limits.ts'
import { insertCaptcha } from '#features/verify/sql/codes.ts'

/** Client addresses whose rate limits no other test uses. */
let address = 0
export const nextAddress = (): string => `10.9.${address >> 8}.${address++ & 255}`

/** A captcha as `verify/code` stores it, and what it reads; only its picture is not drawn. */
export async function createCaptcha(purpose: 'login' | 'find_password' | 'register' = 'login') {
  const [uniqid, code] = [randomToken(16), randomText(CAPTCHA_ALPHABET, CAPTCHA.length)]
  const answer = await captchaHash(env.HMAC_SECRET, purpose, uniqid, code)
  await insertCaptcha(db, { uniqid, purpose, answer, expiresAt: Date.now() + CAPTCHA.minutes * 60_000 })
  return { uniqid, code }
}

/** The last code that was sent there, or undefined. */
export async function lastCode(to: string): Promise<string | undefined> {
  const [row] = await db.select().from(outbox).where(eq(outbox.recipient, to)).orderBy(desc(outbox.id)).limit(1)
  return row?.code
}

export async function signIn(
  username: string,
  over: Partial<Input<typeof loginApi.account>> = {},
  sent: CallOptions & { kind?: 'account' | 'ram' } = {},
) {
  const captcha = await createCaptcha('login')
  const ip = sent.ip ?? nextAddress()
  return call(loginApi[sent.kind ?? 'account'], { username, password: PASSWORD, ...captcha, ...over }, { ip, ...sent })
}

/** The refresh cookie an answer sets, as a `cookie` header; empty if it clears it. */
export function readCookie(answer: Answer<unknown>): string {
  return /^[^=]+=[^;]*/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
}

export const openSessions = async (accountId: number) =>
  (await db.select().from(sessions).where(eq(sessions.accountId, accountId))).filter((row) => row.endedAt === null)

export const selectAudit = (accountId: number) =>
  db.select().from(auditLogs).where(eq(auditLogs.accountId, accountId)).orderBy(desc(auditLogs.id))
