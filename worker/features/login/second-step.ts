import type { Parsed, Output } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { auditRow, systemFor } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { loginNameOf } from '#domain/account/user.ts'
import type { Ctx } from '#http/context.ts'
import { consumeSecondFactor, secondFactorReads, createTotpSetup, enrolTotp, openTotpSetup } from './service.ts'
import { insertPersonMessages, sendPersonNotice } from '#features/account/service.ts'
import { endSessionsByUser } from './sql/sessions.ts'
import { consumeLoginTicket, isTicketOpen, personOfTicket, recordTicketTry, selectLoginTicket } from './sql/sign-in.ts'
import { type SignIn, openSecondSession, requireSignIn, ticketReads } from './ticket.ts'
import type { loginApi } from '#contract/login/index.ts'
import { LOGIN_TICKET } from '#contract/login/limits.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { recoverySignInNotice, totpNotice } from '#domain/account/security-notice.ts'

/* Second step of a sign-in with a login ticket: checks the second factor (TOTP), or sets it up. */

type Api = typeof loginApi

/** Checks the second factor and signs in. A try counts before its check; the fifth wrong one ends the ticket. */
export async function completeSignIn(ctx: Ctx, { ticket, ...typed }: Parsed<(typeof loginApi)['totp']>) {
  const { db, now } = ctx
  const { hash, reads } = await ticketReads(ctx, ticket)
  const found = await batch(db, {
    ...(await secondFactorReads(ctx, personOfTicket(hash), typed, isTicketOpen(hash, now))),
    tickets: recordTicketTry(db, hash, now),
    ...reads,
  })
  const signIn = await requireSignIn(ctx, found, 'verify')
  const { user, row } = signIn
  if (!found.factors[0]) return refuse('LOGIN_TICKET_BAD') // reset meanwhile
  const isRecovery = typed.recovery_code !== undefined
  const spent = await consumeSecondFactor(ctx, user, typed, found).catch((error: unknown) => {
    if (isWrongCode(error) && row.tries === LOGIN_TICKET.tries) return refuseSpent(ctx, signIn)
    throw error
  })
  const opened = await openSecondSession(ctx, signIn, found, isRecovery ? '使用恢复码' : '使用动态验证码')
  const notice = isRecovery ? recoverySignInNotice(loginNameOf(user), spent.left, ctx) : null
  await batch(db, {
    ...consumeLoginTicket(db, user.accountId, hash, now),
    ...spent.writes,
    ...opened.writes,
    ...(notice && insertPersonMessages(ctx, user, notice)),
    recoveryHubs: notice !== null && notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  if (notice) sendPersonNotice(ctx, user, notice)
  return opened.answer()
}

const isWrongCode = (error: unknown): boolean =>
  error instanceof Refusal && ['TOTP_CODE_WRONG', 'RECOVERY_CODE_WRONG'].includes(error.violation.key)

/** Refuses after the fifth wrong code, and notifies: the password was right, so somebody else may know it. */
async function refuseSpent(ctx: Ctx, { user }: SignIn): Promise<never> {
  const username = loginNameOf(user)
  const notice = totpNotice(username, 'guessed', ctx)
  const entry = { module: 'login', action: 'totp_refused', target: username, message: notice.title }
  await batch(ctx.db, {
    ...insertPersonMessages(ctx, user, notice),
    audit: auditRow(ctx, entry, systemFor(user.accountId)),
    hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  sendPersonNotice(ctx, user, notice)
  return refuse('LOGIN_TICKET_SPENT')
}

/** Secret for the authenticator of a person who must set one up. Does not use up the ticket. */
export async function readEnrolment(ctx: Ctx, { ticket }: Parsed<Api['totpSetup']>): Promise<Output<Api['totpSetup']>> {
  const { db, now } = ctx
  const { hash, reads } = await ticketReads(ctx, ticket)
  const found = await batch(db, { tickets: selectLoginTicket(db, hash, now), ...reads })
  const { user } = await requireSignIn(ctx, found, 'enrol')
  return createTotpSetup(ctx, user, loginNameOf(user))
}

/** Sets up the second factor with its first code, and signs in. */
export async function enrolAndSignIn(ctx: Ctx, { ticket, setup, code }: Parsed<Api['totpEnable']>) {
  const { db, now } = ctx
  const { hash, reads } = await ticketReads(ctx, ticket)
  const found = await batch(db, { tickets: recordTicketTry(db, hash, now), ...reads })
  const signIn = await requireSignIn(ctx, found, 'enrol')
  const { user, row } = signIn
  const enrol = openTotpSetup(ctx, user, setup).then((secret) => enrolTotp(ctx, user, secret, code))
  const enrolled = await enrol.catch((error: unknown) => {
    if (error instanceof Refusal && row.tries === LOGIN_TICKET.tries) return refuse('LOGIN_TICKET_SPENT')
    throw error
  })
  const opened = await openSecondSession(ctx, signIn, found, '已设置两步验证')
  const username = loginNameOf(user)
  const notice = totpNotice(username, 'on', ctx)
  const actor = { accountId: user.accountId, kind: 'ram', id: user.ramId, name: username } as const
  const entry = { module: 'login', action: 'totp_enable', target: username, message: '登录时开启两步验证' }
  const write = batch(db, {
    ...consumeLoginTicket(db, user.accountId, hash, now),
    ...enrolled.writes,
    others: endSessionsByUser(db, user, now), // before the new session is inserted
    ...opened.writes,
    ...insertPersonMessages(ctx, user, notice),
    enrolAudit: auditRow(ctx, entry, actor),
    enrolHubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  await mapUniqueViolation(write, { 'totp_factors.person': violation('LOGIN_TICKET_BAD') })
  sendPersonNotice(ctx, user, notice)
  return { ...(await opened.answer()), recovery_codes: enrolled.shown }
}
