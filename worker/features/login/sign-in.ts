import type { Output } from '../../contract/endpoint.ts'
import { refuse, throwIf } from '../../contract/errors.ts'
import { violation } from '../../contract/result.ts'
import { LOGIN_GUARD, SESSION } from '../../contract/limits.ts'
import type { loginApi } from '../../contract/login.ts'
import type { HubName } from '../../contract/hubs.ts'
import type { Session } from '../../contract/session.ts'
import { auditRow, systemFor } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { consumeCaptcha } from '../../db/captchas.ts'
import { guard } from '../../db/guard.ts'
import { insertSession, selectSession } from '../../db/sessions.ts'
import { selectSignInOrigins } from '../../db/sign-in-origins.ts'
import { forgiveSignIn, recordSignIn, signInKey, undoSignIn } from '../../db/sign-in-attempts.ts'
import { isCredentialValid, selectUserByLoginName, selectUserByRamName, selectUserOfTokenLink } from '../../db/users.ts'
import { nameKey, readLoginName, readRamName } from '../../domain/account/login-name.ts'
import { type User, toGrants, isEnabled, loginNameOf, toUserInfo } from '../../domain/account/user.ts'
import { checkAttempts } from '../../domain/login/guard.ts'
import type { SeenOrigin } from '../../domain/login/origin.ts'
import { batchWithWork } from '../../http/captcha-work.ts'
import type { Ctx } from '../../http/context.ts'
import { visitorClient } from '../../http/hash-client.ts'
import { captchaHash, isCaptchaRight, tokenLinkHash, unknownNameHash } from '../../security/one-time.ts'
import { createRefreshToken, refreshHash } from '../../security/refresh-token.ts'
import { randomToken } from '../../security/secrets.ts'
import { signAccessToken } from '../../security/tokens.ts'
import {
  consumeTokenLink,
  guardTokenLinkUnused,
  mainAccountKey,
  personOfTokenLink,
  selectTokenLink,
  subAccountKey,
  updateRamLogin,
} from './queries.ts'
import { type OpenSession, endWrites, readCookieToken } from './end-session.ts'
import { checkOrigin } from './origin.ts'
import { refreshCookie } from './refresh-cookie.ts'

type SessionReply = Output<typeof loginApi.account>

interface Credentials {
  readonly username: string
  readonly password: string
  readonly code: string
  readonly uniqid: string
  readonly nonce?: string | undefined
}

/** Work, captcha, counters, then the password: cheapest check first. An unknown name takes the same time. */
export async function signIn(ctx: Ctx, kind: 'main' | 'ram', input: Credentials): Promise<SessionReply> {
  const { db, now, env } = ctx
  const { key, who, user: byName } = await readName(ctx, kind, input.username)
  const { uniqid } = input
  const answer = await captchaHash(env.HMAC_SECRET, 'login', uniqid, input.code)
  const token = await readCookieToken(ctx)
  const found = await batchWithWork(
    ctx,
    input,
    { account: signInKey(who) },
    {
      ...recordSignIn(db, { who, origin: ctx, captcha: { uniqid, answer }, now }),
      captcha: consumeCaptcha(db, uniqid),
      user: byName,
      origins: selectSignInOrigins(db, who),
      replaced: token !== null && selectSession(db, token.sessionId),
    },
  )
  if (!isCaptchaRight(found.captcha[0], answer, now)) return refuse('CAPTCHA_WRONG')
  const pauses = [
    { attempts: found.atAddress[0], limit: LOGIN_GUARD.failures },
    { attempts: found.inWideBlock?.[0], limit: LOGIN_GUARD.failuresPerWideBlock },
  ]
  throwIf(checkAttempts(pauses, now))
  const [[user], [replaced]] = [found.user, found.replaced ?? []]
  const stored = (user && (user.ramId === null ? user.password : user.ramPassword)) ?? null
  const check = { password: input.password, stored }
  const { isRight } = await ctx.passwords.run(visitorClient(ctx, key), { check }).catch(async (error: unknown) => {
    await batch(db, undoSignIn(db, who, ctx)) // no password was checked, so nothing counts
    throw error
  })
  if (!isRight || !user || stored === null) return refuse('LOGIN_FAILED')
  if (!isEnabled(user)) return refuse('ACCOUNT_DISABLED')

  const { accountId, ramId } = user
  const opened = await openSession(ctx, user, {
    lifeMs: SESSION.refreshDays * 86_400_000,
    replaced,
    known: found.origins,
  })
  await batch(db, {
    credential: guard(db, isCredentialValid({ accountId, ramId, password: stored }), violation('LOGIN_FAILED')),
    ...opened.writes,
    ...forgiveSignIn(db, ramId === null ? `main:${accountId}` : `ram:${ramId}`, ctx),
    loginAt: ramId !== null && updateRamLogin(db, accountId, ramId, now),
  })
  return opened.answer()
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
    origins: selectSignInOrigins(db, personOfTokenLink(hash)),
  })
  const [[link], [user], [replaced]] = [found.links, found.users, found.replaced ?? []]
  if (!link || !user || link.usedAt !== null || link.expiresAt <= now) return refuse('LINK_BAD')
  if (!isEnabled(user)) return refuse('ACCOUNT_DISABLED')
  const message = '通过授权链接登录'
  const lifeMs = SESSION.tokenLinkMinutes * 60_000
  const opened = await openSession(ctx, user, { lifeMs, message, replaced, known: found.origins })
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
  /** Devices and places of earlier sign-ins of this person. */
  readonly known: readonly SeenOrigin[]
  /** The session of the cookie, which this sign-in overwrites: nobody could end it any more. */
  readonly replaced: (OpenSession & { readonly endedAt: number | null }) | undefined
}

/** Session row and its answer. The cookie is set only when the answer is made, after the row was stored. */
async function openSession(
  ctx: Ctx,
  user: User & { readonly hub: HubName; readonly host: string },
  { lifeMs, message = '登录控制台', replaced, known }: Opening,
) {
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
    place: ctx.place,
    host: ctx.hostname,
    userAgent: ctx.userAgent,
    createdAt: now,
    expiresAt: now + lifeMs,
  }
  const name = loginNameOf(user)
  const actor = { accountId, kind: ramId === null ? 'main' : 'ram', id: ramId ?? accountId, name } as const
  const origin = checkOrigin(ctx, user, known)
  const ending = { action: 'sign_out', target: replaced?.id ?? '', message: '同一浏览器重新登录，之前的登录已退出' }
  return {
    writes: {
      ...(replaced?.endedAt === null && endWrites(ctx, replaced, ending, systemFor(replaced.accountId))),
      session: insertSession(db, row),
      ...origin.writes,
      audit: auditRow(ctx, { module: 'login', action: 'sign_in', target: name, message }, actor),
    },
    answer: async (): Promise<SessionReply> => {
      origin.send()
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

/** The name without its spelling, the key of the counters and the read of the user, by the name that was typed. */
async function readName({ db, env }: Ctx, kind: 'main' | 'ram', typed: string) {
  const name = readLoginName(typed)
  const unknown = await unknownNameHash(env.HMAC_SECRET, nameKey(name))
  const key = `${kind}:${nameKey(name)}`
  if (kind === 'main') return { key, who: mainAccountKey(name, unknown), user: selectUserByLoginName(db, name) }
  const ram = readRamName(typed) ?? { name: '', domain: '' } // matches no row in the same time
  return { key, who: subAccountKey(ram, unknown), user: selectUserByRamName(db, ram.name, ram.domain) }
}
