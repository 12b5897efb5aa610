import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { consumeLoginTicket, recordTicketTry, selectLoginTicket } from './sql/tickets.ts'
import { endSessionsByUser } from './sql/sessions.ts'
import { loginNameOf } from '#domain/account/user.ts'
import type { Ctx } from '#http/context.ts'
import { createTotpSetup, enrolTotp, openTotpSetup } from './service.ts'
import { insertPersonMessages, sendPersonNotice } from '#features/account/service.ts'
import { openSecondSession, requireSignIn, ticketReads } from './ticket.ts'
import type { loginApi } from '#contract/login/index.ts'
import { LOGIN_TICKET } from '#contract/login/limits.ts'
import { totpNotice } from '#domain/account/security-notice.ts'

type Api = typeof loginApi

/** The secret for the authenticator of who must have one; spends nothing of the ticket. */
export async function readEnrolment(ctx: Ctx, { ticket }: Parsed<Api['totpSetup']>): Promise<Output<Api['totpSetup']>> {
  const { db, now } = ctx
  const { hash, reads } = await ticketReads(ctx, ticket)
  const found = await batch(db, { tickets: selectLoginTicket(db, hash, now), ...reads })
  const { user } = await requireSignIn(ctx, found, 'enrol')
  return createTotpSetup(ctx, user, loginNameOf(user))
}

/** Sets the second factor up with its first code, before there is a session. */
export async function enrolAndSignIn(
  ctx: Ctx,
  { ticket, setup, code }: Parsed<Api['totpEnable']>,
): Promise<Output<Api['totpEnable']>> {
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
    others: endSessionsByUser(db, user, now), // in front of the new one
    ...opened.writes,
    ...insertPersonMessages(ctx, user, notice),
    enrolAudit: auditRow(ctx, entry, actor),
    enrolHubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  await mapUniqueViolation(write, { 'totp_factors.person': violation('LOGIN_TICKET_BAD') })
  sendPersonNotice(ctx, user, notice)
  return { ...(await opened.answer()), recovery_codes: enrolled.shown }
}
