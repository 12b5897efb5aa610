import { refuse } from '../../contract/errors.ts'
import type { Output } from '../../contract/endpoint.ts'
import type { HubName } from '../../contract/hubs.ts'
import { SESSION } from '../../contract/limits.ts'
import type { loginApi } from '../../contract/login.ts'
import { type AuditActor, type AuditEntry, auditRow, systemFor } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { endSession, rotateSession, selectSession } from '../../db/sessions.ts'
import { selectUserOfSession } from '../../db/users.ts'
import { isEnabled } from '../../domain/account/user.ts'
import type { Ctx } from '../../http/context.ts'
import { timingSafeEqual } from '../../security/secrets.ts'
import { cookieName, refreshCookie, refreshHash, sessionIdOf, createSuccessor } from './refresh-token.ts'
import { sessionReply } from './sign-in.ts'

const DAY_MS = 86_400_000

/** A new access token, and the refresh token's successor. A token shown after its time ends the session: it was copied. */
export async function refresh(ctx: Ctx): Promise<Output<typeof loginApi.refresh>> {
  const { db, now, env } = ctx
  const token = ctx.cookies[cookieName(env.ENVIRONMENT)]
  if (!token) return refuse('TOKEN_BAD')
  const id = sessionIdOf(token)
  const next = await createSuccessor(env.HMAC_SECRET, token)
  const shownHash = await refreshHash(env.HMAC_SECRET, token)
  const nextHash = await refreshHash(env.HMAC_SECRET, next)

  const terms = { now, slideMs: SESSION.refreshDays * DAY_MS, fixedMs: SESSION.tokenLinkMinutes * 60_000 }
  const { sessions, users } = await batch(db, {
    rotated: rotateSession(db, id, shownHash, nextHash, terms),
    sessions: selectSession(db, id),
    users: selectUserOfSession(db, id),
  })
  const [[session], [user]] = [sessions, users]
  const isLive = session !== undefined && session.endedAt === null
  // the successor is current and young: this call rotated, or another tab did at the same time
  const isCurrent = session?.refreshHash === nextHash && session.rotatedAt > now - SESSION.refreshGraceMs
  const isReused = isLive && session.expiresAt > now && !isCurrent
  if (isReused) {
    const entry = { action: 'refresh_reused', target: id, message: '刷新凭证被重复使用，登录状态已终止' }
    await end(ctx, session, entry, systemFor(session.accountId))
  }
  if (!isLive || isReused || !user || !isEnabled(user)) {
    ctx.setCookie(refreshCookie(env.ENVIRONMENT, '', 0))
    return refuse(session ? 'SESSION_REVOKED' : 'TOKEN_BAD')
  }
  if (session.expiresAt <= now) return refuse('TOKEN_EXPIRED')
  ctx.setCookie(refreshCookie(env.ENVIRONMENT, next, session.expiresAt - now))
  return sessionReply(ctx, user, session)
}

/** Ends the session of the access token, or else of the cookie, with all its sockets. Done twice, it does nothing. */
export async function logout(ctx: Ctx): Promise<void> {
  const { db, env } = ctx
  const token = ctx.cookies[cookieName(env.ENVIRONMENT)]
  ctx.setCookie(refreshCookie(env.ENVIRONMENT, '', 0))
  const id = ctx.session?.id ?? (token && sessionIdOf(token))
  if (!id) return
  const [session] = await selectSession(db, id)
  if (!session || session.endedAt !== null) return
  const isOwn =
    ctx.session !== null || timingSafeEqual(session.refreshHash, await refreshHash(env.HMAC_SECRET, token ?? ''))
  if (!isOwn) return
  const entry = { action: 'sign_out', target: ctx.session?.username ?? id, message: '退出登录' }
  await end(ctx, session, entry, ctx.session ? undefined : systemFor(session.accountId))
}

interface LiveSession {
  readonly id: string
  readonly accountId: number
  readonly hub: HubName
}

async function end(
  ctx: Ctx,
  { id, accountId, hub }: LiveSession,
  entry: Omit<AuditEntry, 'module'>,
  actor?: AuditActor,
): Promise<void> {
  const { db, now } = ctx
  await batch(db, {
    ended: endSession(db, accountId, id, now),
    audit: auditRow(ctx, { module: 'login', ...entry }, actor),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
}
