import { SIGNED_IN_COOKIE } from '#contract/login/limits.ts'
import { type AuditActor, type AuditEntry, auditRow } from '#db/audit.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { type selectSession, endSession } from './sql/sessions.ts'
import type { Ctx } from '#http/context.ts'
import { type RefreshToken, readRefreshToken } from '#security/refresh-token.ts'

/* End of a console session, and its cookies. */

export type SessionRow = Awaited<ReturnType<typeof selectSession>>[number]

/** Refresh token that the browser sent, or null if it sent none of ours. */
export async function readCookieToken({ cookies, env }: Ctx): Promise<RefreshToken | null> {
  const text = cookies[cookieName(env.ENVIRONMENT)]
  return text ? readRefreshToken(env.HMAC_SECRET, text) : null
}

/** Statements that end a session with its sockets; part of a batch. */
export const endWrites = (
  ctx: Ctx,
  { id, accountId, hub }: SessionRow,
  entry: Omit<AuditEntry, 'module'>,
  actor?: AuditActor,
) => ({
  ended: endSession(ctx.db, accountId, id, ctx.now),
  endedAudit: auditRow(ctx, { module: 'login', ...entry }, actor),
  endedHubs: notifyHubs(ctx, refreshTasks('account', [hub])),
})

const PATH = '/api/v1/login'

/** Name of the cookie. Over the plain http of a local run, browsers refuse a Secure cookie except from localhost. */
const cookieName = (environment: Env['ENVIRONMENT']): string =>
  environment === 'local' ? 'netloom_refresh' : '__Secure-netloom_refresh'

/**
 * Sets the cookie of the refresh token, and the one by which pages are outlined before their scripts run: it holds nothing,
 * and comes with links from elsewhere, too.
 */
export function setSessionCookies({ env, setCookie }: Ctx, token: string, lifeMs: number): void {
  const secure = env.ENVIRONMENT === 'local' ? '' : '; Secure'
  const life = `Max-Age=${Math.max(0, Math.floor(lifeMs / 1000))}; HttpOnly`
  setCookie(`${cookieName(env.ENVIRONMENT)}=${token}; Path=${PATH}; ${life}; SameSite=Strict${secure}`)
  setCookie(`${SIGNED_IN_COOKIE}=1; Path=/; ${life}; SameSite=Lax${secure}`)
}

export const clearSessionCookies = (ctx: Ctx): void => setSessionCookies(ctx, '', 0)
