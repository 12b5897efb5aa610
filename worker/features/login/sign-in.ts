import type { loginApi } from '#contract/login/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { batch } from '#db/batch.ts'
import { guard } from '#db/guard.ts'
import { selectSession } from './sql/sessions.ts'
import { forgiveSignIn, pausesOf, recordSignIn, signInKey, undoSignIn } from './sql/attempts.ts'
import {
  isCredentialValid,
  selectUserByLoginName,
  selectUserByRamName,
  selectUserOfTokenLink,
} from '#features/account/sql/users.ts'
import { nameKey, readLoginName, readRamName } from '#domain/account/login-name.ts'
import { isEnabled, personKey } from '#domain/account/user.ts'
import { checkAttempts, secondStep } from '#domain/login/sign-in.ts'
import type { Ctx } from '#http/context.ts'
import { visitorClient } from '#http/hash-client.ts'
import { captchaHash, isCaptchaRight, tokenLinkHash, unknownNameHash } from '#security/one-time.ts'
import { readCookieToken } from './end-session.ts'
import { LINK_MS, type SessionReply, SIGN_IN_MS, openSession } from './open-session.ts'
import {
  consumeTokenLink,
  guardTokenLinkUnused,
  mainAccountKey,
  personOfTokenLink,
  selectTokenLink,
  subAccountKey,
  updateRamLogin,
  selectSignInOrigins,
} from './sql/sign-in.ts'
import { refuseWithTicket } from './ticket.ts'
import { batchWithWork } from '#features/verify/service.ts'
import { consumeCaptcha } from '#features/verify/sql/codes.ts'

/* First step of a sign-in to the console: by password or by token link. */

type Api = typeof loginApi

export const signInMain = (ctx: Ctx, input: Parsed<Api['account']>): Promise<SessionReply> => signIn(ctx, 'main', input)

export const signInRam = (ctx: Ctx, input: Parsed<Api['ram']>): Promise<SessionReply> => signIn(ctx, 'ram', input)

/** Checks work, captcha and counters, then the password: cheapest first. An unknown name takes the same time. */
async function signIn(ctx: Ctx, kind: 'main' | 'ram', input: Parsed<Api['account']>): Promise<SessionReply> {
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
  throwIf(checkAttempts(pausesOf(found), now))
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
  const credential = guard(db, isCredentialValid({ accountId, ramId, password: stored }), violation('LOGIN_FAILED'))
  const purpose = secondStep(user)
  // The sign-in counts as failed until its second step is done: with the password alone a person gets only five tickets.
  if (purpose !== null) return refuseWithTicket(ctx, user, { purpose, way: 'password', stored }, { credential })
  const opened = await openSession(ctx, user, { lifeMs: SIGN_IN_MS, replaced, known: found.origins })
  await batch(db, {
    credential,
    ...opened.writes,
    ...forgiveSignIn(db, personKey(user), ctx),
    loginAt: ramId !== null && updateRamLogin(db, accountId, ramId, now),
  })
  return opened.answer()
}

/** Signs in by a token link, once; the session lasts an hour. With a second factor the answer is a login ticket. */
export async function signInByLink(ctx: Ctx, { token }: Parsed<Api['authorization']>): Promise<SessionReply> {
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
  const { accountId, password } = user
  const spent = {
    unused: guardTokenLinkUnused(db, hash),
    credential: guard(db, isCredentialValid({ accountId, ramId: null, password }), violation('LINK_BAD')),
    link: consumeTokenLink(db, hash, now),
  }
  const purpose = secondStep(user)
  if (purpose !== null) return refuseWithTicket(ctx, user, { purpose, way: 'link', stored: password }, spent)
  const opened = await openSession(ctx, user, {
    lifeMs: LINK_MS,
    message: '通过授权链接登录',
    replaced,
    known: found.origins,
  })
  await batch(db, { ...spent, ...opened.writes })
  return opened.answer()
}

/** Normalised name, key of the counters, and read of the user by the typed name. */
async function readName({ db, env }: Ctx, kind: 'main' | 'ram', typed: string) {
  const name = readLoginName(typed)
  const unknown = await unknownNameHash(env.HMAC_SECRET, nameKey(name))
  const key = `${kind}:${nameKey(name)}`
  if (kind === 'main') return { key, who: mainAccountKey(name, unknown), user: selectUserByLoginName(db, name) }
  const ram = readRamName(typed) ?? { name: '', domain: '' } // matches no row in the same time
  return { key, who: subAccountKey(ram, unknown), user: selectUserByRamName(db, ram.name, ram.domain) }
}
