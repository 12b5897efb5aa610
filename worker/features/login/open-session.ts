import type { Output } from '#contract/kernel/endpoint.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Session } from '#contract/kernel/session.ts'
import { auditRow, systemFor } from '#db/audit.ts'
import { guard } from '#db/guard.ts'
import { insertSession } from './sql/sessions.ts'
import { type User, loginNameOf, toGrants, toUserInfo, personKey } from '#domain/account/user.ts'
import { type SeenOrigin, evaluateNovelty, originsOf } from '#domain/login/origin.ts'
import type { Ctx } from '#http/context.ts'
import { createRefreshToken, refreshHash } from '#security/refresh-token.ts'
import { randomToken } from '#security/secrets.ts'
import { signAccessToken } from '#security/tokens.ts'
import { type SessionRow, endWrites, setSessionCookies } from './end-session.ts'
import { upsertSignInOrigins } from './sql/sign-in.ts'
import type { loginApi } from '#contract/login/index.ts'
import { SESSION } from '#contract/login/limits.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { signInNotice } from '#domain/account/security-notice.ts'
import { insertSecurityMessage, sendSecurityNotice } from '#features/account/service.ts'
import { hasRights } from '#features/ram/sql.ts'

/* Opening of a console session after a sign-in: row, cookie, tokens, and notice of a new device or place. */

export type SessionReply = Output<typeof loginApi.account>

/** Life of a session from its last refresh, after a sign-in without a token link. */
export const SIGN_IN_MS = SESSION.refreshDays * 86_400_000
/** Life of a session from a token link, which is never prolonged. */
export const LINK_MS = SESSION.tokenLinkMinutes * 60_000

export type SigningUser = User & { readonly hub: HubName; readonly host: string }

interface Opening {
  readonly lifeMs: number
  readonly message?: string
  /** Devices and places of the person's earlier sign-ins. */
  readonly known: readonly SeenOrigin[]
  /** Session of the cookie, which this sign-in overwrites. It must end, because nobody could end it later. */
  readonly replaced: SessionRow | undefined
}

/** Columns of a new session but its owner, and its refresh token. */
export async function createSession(ctx: Ctx, lifeMs: number) {
  const { now, env } = ctx
  const id = randomToken(18)
  const refreshToken = await createRefreshToken(env.HMAC_SECRET, id)
  const row = {
    id,
    refreshHash: await refreshHash(env.HMAC_SECRET, refreshToken),
    rotatedAt: now,
    ip: ctx.ip,
    place: ctx.place,
    host: ctx.hostname,
    userAgent: ctx.userAgent,
    createdAt: now,
    expiresAt: now + lifeMs,
  }
  return { row, refreshToken }
}

/** Statements that end the session which this sign-in replaces in its browser. */
export const endReplaced = (ctx: Ctx, replaced: SessionRow | undefined) => {
  const ending = { action: 'sign_out', target: replaced?.id ?? '', message: '同一浏览器重新登录，之前的登录已退出' }
  return replaced?.endedAt === null && endWrites(ctx, replaced, ending, systemFor(replaced.accountId))
}

/** Statements of a new session, and its answer. The answer sets the cookie, after the row was stored. */
export async function openSession(ctx: Ctx, user: SigningUser, opening: Opening) {
  const { lifeMs, message = '登录控制台', replaced, known } = opening
  const { db } = ctx
  const { accountId, ramId } = user
  const { row, refreshToken } = await createSession(ctx, lifeMs)
  const name = loginNameOf(user)
  const actor = { accountId, kind: ramId === null ? 'main' : 'ram', id: ramId ?? accountId, name } as const
  const origin = checkOrigin(ctx, user, known)
  return {
    writes: {
      rights: ramId !== null && guard(db, hasRights({ ...user, ramId }), violation('RIGHTS_CHANGED')),
      ...endReplaced(ctx, replaced),
      session: insertSession(db, { ...row, accountId, ramId }),
      ...origin.writes,
      audit: auditRow(ctx, { module: 'login', action: 'sign_in', target: name, message }, actor),
    },
    answer: async (): Promise<SessionReply> => {
      origin.send()
      setSessionCookies(ctx, refreshToken, lifeMs)
      return sessionReply(ctx, user, { id: row.id, version: 1 })
    },
  }
}

/** Reply to every kind of sign-in and to each refresh. */
export async function sessionReply(
  ctx: Ctx,
  user: User & Pick<SigningUser, 'hub'>,
  of: Pick<Session, 'id' | 'version'>,
): Promise<SessionReply> {
  const { accountId, ramId, hub } = user
  const session: Session = {
    id: of.id,
    version: of.version,
    accountId,
    ramId,
    username: loginNameOf(user),
    grants: toGrants(user),
    hub,
  }
  return {
    access_token: await signAccessToken(ctx.env.JWT_KEYS, session, ctx.now),
    token_expire_time: SESSION.accessMinutes * 60,
    user: toUserInfo(user),
  }
}

/** Records device and place of this sign-in, and notifies the person of a new one: `send` mails after the commit. */
function checkOrigin(ctx: Ctx, user: SigningUser, known: readonly SeenOrigin[]) {
  const { db, now } = ctx
  const { accountId, ramId, hub } = user
  const person = personKey(user)
  const origins = originsOf(ctx)
  const seen = upsertSignInOrigins(db, { accountId, ramId, person, origins }, now)
  const novelty = evaluateNovelty(origins, known)
  if (novelty === null) return { writes: { seen }, send: () => {} }
  const notice = signInNotice(loginNameOf(user), novelty, ctx)
  return {
    writes: {
      seen,
      notice: insertSecurityMessage(ctx, accountId, notice, person),
      noticeHubs: notifyHubs(ctx, refreshTasks('account', [hub])),
    },
    send: () => sendSecurityNotice(ctx, notice, { host: user.host, phones: [], emails: [user.email ?? ''] }),
  }
}
