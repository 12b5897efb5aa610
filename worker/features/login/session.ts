import { refuse } from '../../contract/errors.ts'
import type { Output } from '../../contract/endpoint.ts'
import { SESSION } from '../../contract/limits.ts'
import type { loginApi } from '../../contract/login.ts'
import type { Ctx } from '../../http/context.ts'
import { isEnabled } from '../account/queries.ts'
import { auditRow, systemFor } from '../audit/queries.ts'
import {
  accountOfSession,
  endReusedSession,
  endSession,
  isNotEnded,
  isSessionReused,
  rotateSession,
  sessionById,
  userOfSession,
} from './queries.ts'
import { cookieName, refreshCookie, refreshHash, sessionIdOf, successorOf } from './refresh-token.ts'
import { sessionReply } from './sign-in.ts'

const DAY_MS = 86_400_000

/** A new access token, and the refresh token's successor. A token shown after its time ends the session: it was copied. */
export async function refresh(ctx: Ctx): Promise<Output<typeof loginApi.refresh>> {
  const { db, now, env } = ctx
  const token = ctx.cookies[cookieName(env.ENVIRONMENT)]
  if (!token) return refuse('TOKEN_BAD')
  const id = sessionIdOf(token)
  const next = await successorOf(env.HMAC_SECRET, token)
  const [shown, nextHash] = await Promise.all([token, next].map((text) => refreshHash(env.HMAC_SECRET, text)))
  if (!shown || !nextHash) return refuse('TOKEN_BAD')

  const terms = { now, slideMs: SESSION.refreshDays * DAY_MS, fixedMs: SESSION.tokenLinkMinutes * 60_000 }
  const reuse = [id, nextHash, now, SESSION.refreshGraceMs] as const
  const entry = {
    module: 'login',
    action: 'refresh_reused',
    target: id,
    message: '刷新凭证被重复使用，登录状态已终止',
    when: isSessionReused(...reuse),
  }
  const [, , [reused], [session], [user]] = await db.batch([
    rotateSession(db, id, shown, nextHash, terms),
    auditRow(ctx, entry, systemFor(accountOfSession(id))),
    endReusedSession(db, ...reuse),
    sessionById(db, id),
    userOfSession(db, id),
  ])
  if (session && reused) ctx.waitUntil(ctx.hubs.account(session.accountId).endSessions([id]))
  if (!session || !user || session.endedAt !== null || !isEnabled(user)) {
    ctx.setCookie(refreshCookie(env.ENVIRONMENT, '', 0))
    return refuse(session ? 'SESSION_REVOKED' : 'TOKEN_BAD')
  }
  if (session.expiresAt <= now) return refuse('TOKEN_EXPIRED')
  ctx.setCookie(refreshCookie(env.ENVIRONMENT, next, session.expiresAt - now))
  return sessionReply(ctx, user, session)
}

/** Ends the session of the access token, or else of the cookie, with all its sockets. Done twice, it does nothing. */
export async function logout(ctx: Ctx): Promise<void> {
  const { db, now, env, session } = ctx
  const token = ctx.cookies[cookieName(env.ENVIRONMENT)]
  ctx.setCookie(refreshCookie(env.ENVIRONMENT, '', 0))
  const ended = session
    ? await endOwn(ctx, session.id, session.username)
    : token
      ? await endSession(db, sessionIdOf(token), now, await refreshHash(env.HMAC_SECRET, token))
      : []
  for (const { id, accountId } of ended) ctx.waitUntil(ctx.hubs.account(accountId).endSessions([id]))
}

async function endOwn(ctx: Ctx, id: string, name: string) {
  const entry = { module: 'login', action: 'sign_out', target: name, message: '退出登录', when: isNotEnded(id) }
  const [, ended] = await ctx.db.batch([auditRow(ctx, entry), endSession(ctx.db, id, ctx.now)])
  return ended
}
