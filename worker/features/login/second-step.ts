import type { Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { auditRow, systemFor } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { consumeLoginTicket, isTicketOpen, personOfTicket, recordTicketTry } from './sql/tickets.ts'
import { loginNameOf } from '#domain/account/user.ts'
import type { Ctx } from '#http/context.ts'
import { consumeSecondFactor, secondFactorReads } from './service.ts'
import { insertPersonMessages, sendPersonNotice } from '#features/account/service.ts'
import type { SessionReply } from './open-session.ts'
import { type SignIn, openSecondSession, requireSignIn, ticketReads } from './ticket.ts'
import type { loginApi } from '#contract/login/index.ts'
import { LOGIN_TICKET } from '#contract/login/limits.ts'
import { recoverySignInNotice, totpNotice } from '#domain/account/security-notice.ts'

/** Second step of a sign-in. A try counts before anything is looked at; the fifth wrong one ends the ticket, and is announced. */
export async function completeSignIn(
  ctx: Ctx,
  { ticket, ...typed }: Parsed<(typeof loginApi)['totp']>,
): Promise<SessionReply> {
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

/** The fifth wrong code behind a right password: somebody else may know it. */
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
