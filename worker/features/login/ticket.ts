import { refuse } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { type Statements, batch } from '#db/batch.ts'
import { guard } from '#db/guard.ts'
import { selectSession } from './sql/sessions.ts'
import { forgiveSignIn } from './sql/attempts.ts'
import { isCredentialValid, selectUserOfLoginTicket } from '#features/account/sql/users.ts'
import { type User, isEnabled, personKey } from '#domain/account/user.ts'
import type { Ctx } from '#http/context.ts'
import { credentialHash, loginTicketHash } from '#security/one-time.ts'
import { randomToken, timingSafeEqual } from '#security/secrets.ts'
import { readCookieToken } from './end-session.ts'
import { LINK_MS, SIGN_IN_MS, openSession } from './open-session.ts'
import {
  updateRamLogin,
  selectSignInOrigins,
  insertLoginTicket,
  personOfTicket,
  type selectLoginTicket,
} from './sql/sign-in.ts'

/* Login tickets: issued after the first step of a sign-in, and exchanged for a session after the second. */

interface NewTicket {
  readonly purpose: 'verify' | 'enrol'
  readonly way: 'password' | 'link'
  /** Stored hash of the password. */
  readonly stored: string
}

/** Refuses with a login ticket, which the second step of the sign-in sends instead of a session. */
export async function refuseWithTicket(ctx: Ctx, user: User, { purpose, way, stored }: NewTicket, writes: Statements) {
  const { db, env, now } = ctx
  const { accountId, ramId } = user
  const ticket = randomToken()
  const row = {
    ticketHash: await loginTicketHash(env.HMAC_SECRET, ticket),
    purpose,
    way,
    person: personKey(user),
    accountId,
    ramId,
    credential: await credentialHash(env.HMAC_SECRET, stored),
  }
  await batch(db, { ...writes, ticket: insertLoginTicket(db, row, now) })
  return refuse(purpose === 'verify' ? 'TOTP_REQUIRED' : 'TOTP_ENROL_REQUIRED', { ticket })
}

/** Statements that read the user, origins and former session of a ticket. */
export async function ticketReads(ctx: Ctx, ticket: string) {
  const { db, env } = ctx
  const hash = await loginTicketHash(env.HMAC_SECRET, ticket)
  const cookie = await readCookieToken(ctx)
  return {
    hash,
    reads: {
      users: selectUserOfLoginTicket(db, hash),
      origins: selectSignInOrigins(db, personOfTicket(hash)),
      replaced: cookie !== null && selectSession(db, cookie.sessionId),
    },
  }
}

type Ticket = Awaited<ReturnType<typeof selectLoginTicket>>[number]
type TicketUser = Awaited<ReturnType<typeof selectUserOfLoginTicket>>[number]

export interface SignIn {
  readonly row: Ticket
  readonly user: TicketUser
  /** Stored hash of the password, the same as at the issue of the ticket. */
  readonly stored: string
}

/** Requires an open ticket for this step, of an enabled person whose password has not changed. */
export async function requireSignIn(
  ctx: Ctx,
  { tickets: [row], users: [user] }: { readonly tickets: readonly Ticket[]; readonly users: readonly TicketUser[] },
  purpose: Ticket['purpose'],
): Promise<SignIn> {
  if (!row || !user || row.purpose !== purpose || row.person !== personKey(user)) return refuse('LOGIN_TICKET_BAD')
  const stored = (user.ramId === null ? user.password : user.ramPassword) ?? ''
  const credential = await credentialHash(ctx.env.HMAC_SECRET, stored)
  if (!timingSafeEqual(credential, row.credential)) return refuse('LOGIN_TICKET_BAD')
  if (!isEnabled(user)) return refuse('ACCOUNT_DISABLED')
  return { row, user, stored }
}

type Opening = Pick<Parameters<typeof openSession>[2], 'replaced' | 'known'>

/** Opens the session as the first step would have done, and resets that step's counters. */
export async function openSecondSession(
  ctx: Ctx,
  { row, user, stored }: SignIn,
  found: { readonly replaced?: readonly Opening['replaced'][] | undefined; readonly origins: Opening['known'] },
  how: string,
) {
  const { db, now } = ctx
  const { accountId, ramId } = user
  const isLink = row.way === 'link'
  const opened = await openSession(ctx, user, {
    lifeMs: isLink ? LINK_MS : SIGN_IN_MS,
    message: `${isLink ? '通过授权链接登录' : '登录控制台'}，${how}`,
    replaced: found.replaced?.[0],
    known: found.origins,
  })
  const credential = isCredentialValid({ accountId, ramId, password: stored })
  const writes: Statements = {
    credential: guard(db, credential, violation('LOGIN_TICKET_BAD')),
    ...opened.writes,
    ...(!isLink && forgiveSignIn(db, row.person, ctx)),
    loginAt: ramId !== null && updateRamLogin(db, accountId, ramId, now),
  }
  return { writes, answer: opened.answer }
}
