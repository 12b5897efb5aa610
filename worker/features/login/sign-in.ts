import type { SQL } from 'drizzle-orm'
import { violation, refuse, throwIf } from '../../contract/errors.ts'
import type { Output } from '../../contract/endpoint.ts'
import { LOGIN_GUARD, SESSION } from '../../contract/limits.ts'
import type { loginApi } from '../../contract/login.ts'
import { guard } from '../../db/guard.ts'
import { readLoginName, readRamName } from '../../domain/account/login-name.ts'
import { checkAttempts } from '../../domain/login/guard.ts'
import type { Ctx } from '../../http/context.ts'
import { checkHashing, isPassword } from '../../security/password.ts'
import { randomToken } from '../../security/secrets.ts'
import { signAccessToken } from '../../security/tokens.ts'
import type { Session } from '../../contract/session.ts'
import { type User, grantsOf, isEnabled, loginNameOf, userInfoOf } from '../account/queries.ts'
import { auditRow } from '../audit/queries.ts'
import { captchaAnswer, isCaptcha, isCaptchaRow, takeCaptcha } from '../verify/queries.ts'
import {
  countAttempt,
  forgetAttempts,
  insertSession,
  isStillGood,
  noteRamLogin,
  tokenLinkHash,
  tokenLinkOwner,
  uncountAttempt,
  userByLoginName,
  userByRamName,
  userOfTokenLink,
  useTokenLink,
  usernameOf,
} from './queries.ts'
import { newRefreshToken, refreshCookie, refreshHash } from './refresh-token.ts'

type SessionReply = Output<typeof loginApi.account>

interface Credentials {
  readonly username: string
  readonly password: string
  readonly code: string
  readonly uniqid: string
}

const PAUSE_MS = LOGIN_GUARD.pauseMinutes * 60_000

/** Captcha, then counters, then the password: what costs us least comes first. A name nobody has costs the same. */
export async function signIn(ctx: Ctx, kind: 'main' | 'ram', input: Credentials): Promise<SessionReply> {
  const { db, now, env } = ctx
  throwIf(checkHashing())
  const keys = attemptKeys(ctx, kind, input.username)
  const typed = await captchaAnswer(env.HMAC_SECRET, 'login', input.uniqid, input.code)
  const isGood = isCaptcha(input.uniqid, typed, now)
  const [[byName], [byAddress], [captcha], [user]] = await db.batch([
    countAttempt(db, keys.name, PAUSE_MS, now, isGood),
    countAttempt(db, keys.address, PAUSE_MS, now, isGood),
    takeCaptcha(db, input.uniqid),
    userByName(ctx, kind, input.username),
  ])
  if (!isCaptchaRow(captcha, typed, now) || !byName || !byAddress) return refuse('CAPTCHA_WRONG')
  throwIf(checkAttempts(byName, byAddress, now))
  const stored = (user && (user.ramId === null ? user.password : user.ramPassword)) ?? null
  if (!(await isPassword(input.password, stored)) || !user || stored === null) return refuse('LOGIN_FAILED')
  if (!isEnabled(user)) return refuse('ACCOUNT_DISABLED')

  const { accountId, ramId } = user
  const opened = await openSession(ctx, { accountId, ramId, name: loginNameOf(user) }, SESSION.refreshDays * 86_400_000)
  await db.batch([
    guard(db, isStillGood({ accountId, ramId, password: stored }), violation('LOGIN_FAILED')),
    ...opened.writes,
    forgetAttempts(db, keys.name),
    uncountAttempt(db, keys.address),
    ...(ramId === null ? [] : [noteRamLogin(db, ramId, now)]),
  ])
  return opened.answer(user)
}

/** A token link signs in once; its session lives an hour and is not prolonged. */
export async function signInByLink(ctx: Ctx, token: string): Promise<SessionReply> {
  const { db, now, env } = ctx
  const hash = await tokenLinkHash(env.HMAC_SECRET, token)
  const accountId = tokenLinkOwner(hash)
  const who = { accountId, ramId: null, name: usernameOf(accountId) }
  const opened = await openSession(ctx, who, SESSION.tokenLinkMinutes * 60_000, '通过授权链接登录')
  const [[user]] = await db.batch([userOfTokenLink(db, hash), ...useTokenLink(db, hash, now), ...opened.writes])
  return user ? opened.answer(user) : refuse('LINK_BAD')
}

/** Whose session it is to be; SQL where the batch finds it. */
interface Who {
  readonly accountId: number | SQL
  readonly ramId: number | null
  readonly name: string | SQL
}

/** Session row and its answer. The cookie is set only when the answer is made, after the row was stored. */
async function openSession(ctx: Ctx, { accountId, ramId, name }: Who, lifeMs: number, message = '登录控制台') {
  const { db, now, env } = ctx
  const id = randomToken(18)
  const refreshToken = newRefreshToken(id)
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
  const actor = { accountId, kind: ramId === null ? 'main' : 'ram', id: ramId ?? accountId, name } as const
  return {
    writes: [
      insertSession(db, row),
      auditRow(ctx, { module: 'login', action: 'sign_in', target: name, message }, actor),
    ] as const,
    answer: async (user: User): Promise<SessionReply> => {
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
    grants: grantsOf(user),
  }
  return {
    access_token: await signAccessToken(ctx.env.JWT_KEYS, session, ctx.now),
    token_expire_time: SESSION.accessMinutes * 60,
    user: userInfoOf(user),
  }
}

function userByName({ db }: Ctx, kind: 'main' | 'ram', typed: string) {
  if (kind === 'main') return userByLoginName(db, readLoginName(typed))
  const { name, domain } = readRamName(typed) ?? { name: '', domain: '' } // matches nobody, and asks all the same
  return userByRamName(db, name, domain)
}

function attemptKeys({ ipBlock }: Ctx, kind: 'main' | 'ram', typed: string) {
  return { name: `login:${kind}:${typed.toLowerCase()}:${ipBlock}`, address: `login:${ipBlock}` }
}
