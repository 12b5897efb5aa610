import type * as z from 'zod'
import { type clientApi, clientDevice } from '#contract/client/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import { auditRow, systemFor } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guardRate } from '#db/rate-limit.ts'
import { rotateSession } from '#features/login/sql/sessions.ts'
import { checkMember, failureOf } from '#domain/client/member.ts'
import { requireWithinLimit } from '#http/call-limit.ts'
import type { Ctx } from '#http/context.ts'
import { COPIED_TOKEN } from '#http/request-log.ts'
import { signClientToken } from '#security/client-tokens.ts'
import { createRefreshToken, readRefreshToken, refreshHash } from '#security/refresh-token.ts'
import { randomToken } from '#security/secrets.ts'
import { endClientSession } from './sql/sessions.ts'
import {
  type SigningMember,
  endSurplusSessions,
  insertClientSession,
  selectClientSession,
  insertLoginRecords,
  upsertClientFacts,
} from './sql/members.ts'
import { CLIENT } from '#contract/client/limits.ts'
import { SESSION } from '#contract/login/limits.ts'
import { isCurrentToken } from '#domain/login/sign-in.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Sessions of the client application: opened, refreshed, ended. */

type SessionReply = Output<typeof clientApi.refresh>
type Keep = Parsed<typeof clientApi.login>['keep']

const LIFE_MS = SESSION.refreshDays * DAY_MS

/**
 * Statements and answer of a successful sign-in. Refuses a member that may not sign in, and records the attempt.
 * @param authSourceId null for a sign-in by password or code
 */
export async function openSession(
  ctx: Ctx,
  member: SigningMember,
  sent: z.input<typeof clientDevice> & { readonly keep: Keep },
  authSourceId: number | null = null,
) {
  const { db, now, env, ip } = ctx
  const { id: routerId, accountId, name } = member
  const device = clientDevice.parse(sent)
  const refused = checkMember(member)
  if (refused) {
    await insertLoginRecords(ctx, [member], device, failureOf(refused))
    throw new Refusal(refused)
  }
  const id = randomToken(18)
  const refreshToken = await createRefreshToken(env.HMAC_SECRET, id)
  const row = {
    id,
    accountId,
    routerId,
    refreshHash: await refreshHash(env.HMAC_SECRET, refreshToken),
    os: device.os,
    clientVersion: device.version,
    ip,
    createdAt: now,
    rotatedAt: now,
    expiresAt: now + LIFE_MS,
    authSourceId,
  }
  return {
    writes: {
      rate: guardRate(db, `client_login:${routerId}`, CLIENT.loginRate, now),
      session: insertClientSession(db, row),
      surplus: endSurplusSessions(db, accountId, routerId, now),
      facts: upsertClientFacts(db, member, device),
      record: insertLoginRecords(ctx, [member], device, ''),
    },
    answer: () => toReply(ctx, { id, accountId, routerId, name }, { refreshToken, lifeMs: LIFE_MS, keep: sent.keep }),
  }
}

/** Answers a new access token and refresh token. A retired refresh token ends the session, because it was copied. */
export async function refresh(ctx: Ctx, input: Parsed<typeof clientApi.refresh>): Promise<SessionReply> {
  const { db, now, env } = ctx
  const keep = input.refresh_token === undefined ? 'cookie' : ''
  const token = (await readToken(ctx, input)) ?? refuse('TOKEN_BAD')
  await requireWithinLimit(ctx, 'session', token.sessionId)
  await requireWithinLimit(ctx, 'refresh')
  const terms = { now, slideMs: LIFE_MS, lifeMs: SESSION.lifeDays * DAY_MS, fixedMs: 0 }
  const { sessions } = await batch(db, {
    rotated: rotateSession(db, token, terms, null),
    sessions: selectClientSession(db, token.sessionId, now),
  })
  const session = sessions[0] ?? refuse('TOKEN_BAD')
  if (session.endedAt !== null) return refuse('SESSION_REVOKED')
  if (session.expiresAt <= now) return refuse('TOKEN_EXPIRED')
  if (!isCurrentToken(token, session, now)) {
    const { accountId, id, name } = session
    const entry = {
      module: 'client',
      action: 'refresh_reused',
      target: name,
      message: '成员的刷新凭证被重复使用，登录状态已终止',
    }
    await batch(db, {
      ended: endClientSession(db, accountId, id, now),
      audit: auditRow(ctx, entry, systemFor(accountId)),
    })
    return refuse('SESSION_REVOKED', COPIED_TOKEN)
  }
  throwIf(checkMember(session))
  const refreshToken = await createRefreshToken(env.HMAC_SECRET, session.id, session.refreshHash)
  return toReply(ctx, session, { refreshToken, lifeMs: session.expiresAt - now, keep })
}

/** Token that the caller sent, or that of its cookie; null for none of ours. */
async function readToken({ env, cookies }: Ctx, { refresh_token: sent }: Parsed<typeof clientApi.refresh>) {
  const text = sent ?? cookies[cookieName(env)] ?? ''
  return text === '' ? null : readRefreshToken(env.HMAC_SECRET, text)
}

/** Ends a session. A second call does nothing. */
export async function logout(ctx: Ctx, input: Parsed<typeof clientApi.logout>): Promise<void> {
  const { db, now } = ctx
  const token = await readToken(ctx, input)
  if (input.refresh_token === undefined) setSessionCookie(ctx, '', 0)
  const [session] = token === null ? [] : await selectClientSession(db, token.sessionId, now)
  if (!session || session.endedAt !== null) return
  await endClientSession(db, session.accountId, session.id, now)
}

/** Apart from the console's: another name and path, so neither is sent with the calls of the other. */
const cookieName = ({ ENVIRONMENT }: Ctx['env']): string =>
  ENVIRONMENT === 'local' ? 'netloom_client' : '__Secure-netloom_client'

/** Without a domain the cookie is of this host alone. */
function setSessionCookie({ env, setCookie }: Ctx, token: string, lifeMs: number): void {
  const secure = env.ENVIRONMENT === 'local' ? '' : '; Secure'
  const life = `Max-Age=${Math.max(0, Math.floor(lifeMs / 1000))}`
  setCookie(`${cookieName(env)}=${token}; Path=/api/v1/client; ${life}; HttpOnly; SameSite=Strict${secure}`)
}

interface Renewal {
  readonly refreshToken: string
  readonly lifeMs: number
  readonly keep: Keep
}

async function toReply(
  ctx: Ctx,
  {
    id,
    accountId,
    routerId,
    name,
  }: Pick<Awaited<ReturnType<typeof selectClientSession>>[number], 'id' | 'accountId' | 'routerId' | 'name'>,
  { refreshToken, lifeMs, keep }: Renewal,
): Promise<SessionReply> {
  const { env, now } = ctx
  if (keep === 'cookie') setSessionCookie(ctx, refreshToken, lifeMs)
  return {
    router_name: name,
    access_token: await signClientToken(env.JWT_KEYS, { id, accountId, routerId }, now),
    token_expire_time: SESSION.accessMinutes * 60,
    refresh_token: keep === 'cookie' ? '' : refreshToken,
  }
}
