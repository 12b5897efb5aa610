import { refuse } from '#contract/kernel/errors.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { Violation } from '#contract/kernel/result.ts'
import { systemFor } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { rotateSession, selectSession } from './sql/sessions.ts'
import { selectUserOfSession } from '#features/account/sql/users.ts'
import { isEnabled } from '#domain/account/user.ts'
import { requireWithinLimit } from '#http/call-limit.ts'
import type { Ctx } from '#http/context.ts'
import { COPIED_TOKEN } from '#http/request-log.ts'
import { createRefreshToken } from '#security/refresh-token.ts'
import { clearSessionCookies, endWrites, readCookieToken, setSessionCookies } from './end-session.ts'
import { sessionReply } from './open-session.ts'
import type { loginApi } from '#contract/login/index.ts'
import { SESSION } from '#contract/login/limits.ts'
import { isCurrentToken } from '#domain/login/sign-in.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Refresh and sign-out of a console session. */

/** Answers a new access token and sets a new refresh token. A retired token was copied and ends the session. */
export async function refresh(ctx: Ctx): Promise<Output<typeof loginApi.refresh>> {
  const { db, now, env } = ctx
  const token = await readCookieToken(ctx)
  if (!token) return refuseCookie(ctx, 'TOKEN_BAD')
  await requireWithinLimit(ctx, 'session', token.sessionId) // first: repeats of one session leave its neighbours alone
  await requireWithinLimit(ctx, 'refresh')
  const terms = {
    now,
    slideMs: SESSION.refreshDays * DAY_MS,
    lifeMs: SESSION.lifeDays * DAY_MS,
    fixedMs: SESSION.tokenLinkMinutes * 60_000,
  }
  const { sessions, users } = await batch(db, {
    rotated: rotateSession(db, token, terms, ctx),
    sessions: selectSession(db, token.sessionId),
    users: selectUserOfSession(db, token.sessionId),
  })
  const [[session], [user]] = [sessions, users]
  if (!session) return refuseCookie(ctx, 'TOKEN_BAD')
  if (session.endedAt !== null) return refuseCookie(ctx, 'SESSION_REVOKED')
  if (session.expiresAt <= now) return refuse('TOKEN_EXPIRED')
  if (!isCurrentToken(token, session, now)) {
    const entry = { action: 'refresh_reused', target: session.id, message: '刷新凭证被重复使用，登录状态已终止' }
    await batch(db, endWrites(ctx, session, entry, systemFor(session.accountId)))
    return refuseCookie(ctx, 'SESSION_REVOKED', COPIED_TOKEN)
  }
  if (!user || !isEnabled(user)) return refuseCookie(ctx, 'SESSION_REVOKED')
  const next = await createRefreshToken(env.HMAC_SECRET, session.id, session.refreshHash)
  setSessionCookies(ctx, next, session.expiresAt - now)
  return sessionReply(ctx, user, session)
}

/** Ends the session of the access token, or else of the cookie, with all its sockets. A second call does nothing. */
export async function logout(ctx: Ctx): Promise<void> {
  const { db } = ctx
  const id = ctx.session?.id ?? (await readCookieToken(ctx))?.sessionId
  clearSessionCookies(ctx)
  if (!id) return
  const [session] = await selectSession(db, id)
  if (!session || session.endedAt !== null) return
  const entry = { action: 'sign_out', target: ctx.session?.username ?? id, message: '退出登录' }
  await batch(db, endWrites(ctx, session, entry, ctx.session ? undefined : systemFor(session.accountId)))
}

function refuseCookie(ctx: Ctx, key: 'TOKEN_BAD' | 'SESSION_REVOKED', params: Violation['params'] = {}): never {
  clearSessionCookies(ctx)
  return refuse(key, params)
}
