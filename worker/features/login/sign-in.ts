import type { Output } from '../../contract/endpoint.ts'
import { refuse, throwIf, violation } from '../../contract/errors.ts'
import { LOGIN_GUARD, SESSION } from '../../contract/limits.ts'
import type { loginApi } from '../../contract/login.ts'
import type { Session } from '../../contract/session.ts'
import { auditRow, systemFor } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { consumeCaptcha, isCaptchaValid } from '../../db/captchas.ts'
import { guard } from '../../db/guard.ts'
import { deleteAttempts, recordAttempt, undoAttempt } from '../../db/rate-limit.ts'
import { insertSession, selectSession } from '../../db/sessions.ts'
import { isCredentialValid, selectUserByLoginName, selectUserByRamName, selectUserOfTokenLink } from '../../db/users.ts'
import { readLoginName, readRamName } from '../../domain/account/login-name.ts'
import { type User, toGrants, isEnabled, loginNameOf, toUserInfo } from '../../domain/account/user.ts'
import { checkAttempts } from '../../domain/login/guard.ts'
import type { Ctx } from '../../http/context.ts'
import { visitorClient } from '../../http/hash-client.ts'
import { captchaHash, isCaptchaRight, tokenLinkHash } from '../../security/one-time.ts'
import { randomToken } from '../../security/secrets.ts'
import { signAccessToken } from '../../security/tokens.ts'
import { consumeTokenLink, guardTokenLinkUnused, selectTokenLink, updateRamLogin } from './queries.ts'
import { type OpenSession, endWrites, readCookieToken } from './end-session.ts'
import { createRefreshToken, refreshCookie, refreshHash } from './refresh-token.ts'

type SessionReply = Output<typeof loginApi.account>

interface Credentials {
  readonly username: string
  readonly password: string
  readonly code: string
  readonly uniqid: string
}

const PAUSE_MS = LOGIN_GUARD.pauseMinutes * 60_000

/** Captcha, then counters, then the password: what costs us least comes first. An unknown name takes the same time. */
export async function signIn(ctx: Ctx, kind: 'main' | 'ram', input: Credentials): Promise<SessionReply> {
  const { db, now, env } = ctx
  const keys = toAttemptKeys(ctx, kind, input.username)
  const typed = await captchaHash(env.HMAC_SECRET, 'login', input.uniqid, input.code)
  const isGood = isCaptchaValid(input.uniqid, typed, now)
  const token = await readCookieToken(ctx)
  const found = await batch(db, {
    byName: recordAttempt(db, keys.name, PAUSE_MS, now, isGood),
    byAddress: recordAttempt(db, keys.address, PAUSE_MS, now, isGood),
    captcha: consumeCaptcha(db, input.uniqid),
    user: selectUserByName(ctx, kind, input.username),
    replaced: token !== null && selectSession(db, token.sessionId),
  })
  const [[byName], [byAddress], [user], [replaced]] = [found.byName, found.byAddress, found.user, found.replaced ?? []]
  if (!isCaptchaRight(found.captcha[0], typed, now) || !byName || !byAddress) return refuse('CAPTCHA_WRONG')
  throwIf(checkAttempts(byName, byAddress, now))
  const stored = (user && (user.ramId === null ? user.password : user.ramPassword)) ?? null
  const isRight = await checkPassword(ctx, kind, input, stored).catch(async (error: unknown) => {
    // nothing was looked at, so nothing counts
    await batch(db, { name: undoAttempt(db, keys.name), address: undoAttempt(db, keys.address) })
    throw error
  })
  if (!isRight || !user || stored === null) return refuse('LOGIN_FAILED')
  if (!isEnabled(user)) return refuse('ACCOUNT_DISABLED')

  const { accountId, ramId } = user
  const opened = await openSession(ctx, user, { lifeMs: SESSION.refreshDays * 86_400_000, replaced })
  await batch(db, {
    credential: guard(db, isCredentialValid({ accountId, ramId, password: stored }), violation('LOGIN_FAILED')),
    ...opened.writes,
    name: deleteAttempts(db, keys.name),
    address: undoAttempt(db, keys.address),
    loginAt: ramId !== null && updateRamLogin(db, accountId, ramId, now),
  })
  return opened.answer()
}

async function checkPassword(ctx: Ctx, kind: 'main' | 'ram', input: Credentials, stored: string | null) {
  const client = visitorClient(ctx, `${kind}:${input.username.trim().toLowerCase()}`)
  const { isRight } = await ctx.passwords.run(client, { check: { password: input.password, stored } })
  return isRight
}

/** A token link signs in once; its session lives an hour and is not prolonged. */
export async function signInByLink(ctx: Ctx, token: string): Promise<SessionReply> {
  const { db, now, env } = ctx
  const hash = await tokenLinkHash(env.HMAC_SECRET, token)
  const cookie = await readCookieToken(ctx)
  const found = await batch(db, {
    links: selectTokenLink(db, hash),
    users: selectUserOfTokenLink(db, hash),
    replaced: cookie !== null && selectSession(db, cookie.sessionId),
  })
  const [[link], [user], [replaced]] = [found.links, found.users, found.replaced ?? []]
  if (!link || !user || link.usedAt !== null || link.expiresAt <= now) return refuse('LINK_BAD')
  if (!isEnabled(user)) return refuse('ACCOUNT_DISABLED')
  const message = '通过授权链接登录'
  const opened = await openSession(ctx, user, { lifeMs: SESSION.tokenLinkMinutes * 60_000, message, replaced })
  const { accountId, password } = user
  await batch(db, {
    unused: guardTokenLinkUnused(db, hash),
    credential: guard(db, isCredentialValid({ accountId, ramId: null, password }), violation('LINK_BAD')),
    link: consumeTokenLink(db, hash, now),
    ...opened.writes,
  })
  return opened.answer()
}

interface Opening {
  readonly lifeMs: number
  readonly message?: string
  /** The session of the cookie, which this sign-in overwrites: nobody could end it any more. */
  readonly replaced: (OpenSession & { readonly endedAt: number | null }) | undefined
}

/** Session row and its answer. The cookie is set only when the answer is made, after the row was stored. */
async function openSession(ctx: Ctx, user: User, { lifeMs, message = '登录控制台', replaced }: Opening) {
  const { db, now, env } = ctx
  const { accountId, ramId } = user
  const id = randomToken(18)
  const refreshToken = await createRefreshToken(env.HMAC_SECRET, id)
  const row = {
    id,
    accountId,
    ramId,
    refreshHash: await refreshHash(env.HMAC_SECRET, refreshToken),
    rotatedAt: now,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    createdAt: now,
    expiresAt: now + lifeMs,
  }
  const name = loginNameOf(user)
  const actor = { accountId, kind: ramId === null ? 'main' : 'ram', id: ramId ?? accountId, name } as const
  const ending = { action: 'sign_out', target: replaced?.id ?? '', message: '同一浏览器重新登录，之前的登录已退出' }
  return {
    writes: {
      ...(replaced?.endedAt === null && endWrites(ctx, replaced, ending, systemFor(replaced.accountId))),
      session: insertSession(db, row),
      audit: auditRow(ctx, { module: 'login', action: 'sign_in', target: name, message }, actor),
    },
    answer: async (): Promise<SessionReply> => {
      ctx.setCookie(refreshCookie(env.ENVIRONMENT, refreshToken, lifeMs))
      return sessionReply(ctx, user, { id, version: 1 })
    },
  }
}

/** What the console gets on every way in, and on each refresh. */
export async function sessionReply(ctx: Ctx, user: User, of: Pick<Session, 'id' | 'version'>): Promise<SessionReply> {
  const { accountId, ramId } = user
  const session: Session = {
    id: of.id,
    version: of.version,
    accountId,
    ramId,
    username: loginNameOf(user),
    grants: toGrants(user),
  }
  return {
    access_token: await signAccessToken(ctx.env.JWT_KEYS, session, ctx.now),
    token_expire_time: SESSION.accessMinutes * 60,
    user: toUserInfo(user),
  }
}

function selectUserByName({ db }: Ctx, kind: 'main' | 'ram', typed: string) {
  if (kind === 'main') return selectUserByLoginName(db, readLoginName(typed))
  const { name, domain } = readRamName(typed) ?? { name: '', domain: '' } // matches no row in the same time
  return selectUserByRamName(db, name, domain)
}

function toAttemptKeys({ ipBlock }: Ctx, kind: 'main' | 'ram', typed: string) {
  return { name: `login:${kind}:${typed.toLowerCase()}:${ipBlock}`, address: `login:${ipBlock}` }
}
