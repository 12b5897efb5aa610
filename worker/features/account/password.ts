import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { accountApi } from '#contract/account/index.ts'
import { refuse, throwIf, Refusal } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { violation, type Violation } from '#contract/kernel/result.ts'
import type { Session } from '#contract/kernel/session.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { updateAccount } from './sql/accounts.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guard } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { undoAttempt } from '#db/rate-limit.ts'
import { contactsOf, isFirstContact } from '#domain/account/contact.ts'
import { forgetFailures } from '#features/login/sql/attempts.ts'
import { isCredentialValid, selectUserById, deleteRecoveries } from './sql/users.ts'
import { checkPassword } from '#domain/account/password.ts'
import { passwordNotice, type SecurityNotice } from '#domain/account/security-notice.ts'
import { personKey } from '#domain/account/user.ts'
import { type Attempts, checkAttempts } from '#domain/login/sign-in.ts'
import { endOtherSessions } from '#features/login/sql/sessions.ts'
import { consumeProof, selectProved } from '#features/verify/sql/codes.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { signedInClient } from '#http/hash-client.ts'
import { sendSecurityNotice, insertSecurityMessage } from './service.ts'

/* The signed-in person's own password: its change, and its check before other changes. */

const FIELD = 'new_password'

/** Changes the password of the main account, after the identity step. */
export async function editPassword(ctx: Ctx, { new_password: password }: Parsed<typeof accountApi.editPassword>) {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const { accountId } = session
  const { users, proved } = await batch(db, {
    users: selectUserById(db, accountId, null),
    proved: selectProved(db, session, now),
  })
  const user = users[0] ?? refuse('SESSION_REVOKED')
  const { username, nickname, phone, email } = user
  if (isFirstContact(user)) return refuse('CONTACT_REQUIRED')
  if (!proved[0]) return refuse('IDENTITY_REQUIRED')
  const weak = checkPassword(password, { names: [username, nickname, email], phone })
  throwIf(weak && { ...weak, field: FIELD })
  const check = { password, stored: user.password }
  const { hash } = await ctx.passwords.run(signedInClient(ctx), { check, hash: { password, ifRight: false } })
  if (hash === null) return refuse('PASSWORD_UNCHANGED', {}, FIELD)
  const notice = passwordNotice(username, ctx)
  const credential = { accountId, ramId: null, password: user.password }
  await batch(db, {
    ...consumeProof(db, session, now),
    credential: guard(db, isCredentialValid(credential), violation('IDENTITY_REQUIRED')),
    password: updateAccount(db, accountId, { password: hash }),
    failures: forgetFailures(db, `main:${accountId}`),
    ...securityWrites(ctx, user.hub, notice),
    audit: auditRow(ctx, { module: 'account', action: 'edit_password', target: username, message: '修改登录密码' }),
  })
  const had = contactsOf(user)
  sendSecurityNotice(ctx, notice, { host: user.host, phones: [had.phone], emails: [had.email] })
}

/** Statements of every change of password, phone or e-mail: only this session stays. Part of its batch. */
export function securityWrites(ctx: Ctx, hub: HubName, notice: SecurityNotice) {
  const session = requireSession(ctx)
  return {
    others: endOtherSessions(ctx.db, session, ctx.now),
    recoveries: deleteRecoveries(ctx.db, session.accountId),
    message: insertSecurityMessage(ctx, session.accountId, notice),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  }
}

export const PASSWORD_PAUSE_MS = LOGIN_GUARD.pauseMinutes * 60_000
/** Key of the guesses at the caller's own password. */
export const passwordKey = (session: Pick<Session, 'accountId' | 'ramId'>): string => `password:${personKey(session)}`

/** Checks the caller's own password, from the field `password`. The guess is counted before the check. */
export async function checkLoginPassword(ctx: Ctx, stored: string, password: string, attempts: Attempts | undefined) {
  throwIf(checkAttempts([{ attempts, limit: LOGIN_GUARD.failures }], ctx.now, 'LOGIN_PASSWORD_PAUSED'))
  const check = { password, stored }
  const { isRight } = await ctx.passwords.run(signedInClient(ctx), { check }).catch(async (error: unknown) => {
    await undoAttempt(ctx.db, passwordKey(requireSession(ctx))) // no password was checked
    throw error
  })
  if (!isRight) refuse('LOGIN_PASSWORD_WRONG')
}

/** Refuses before the password is checked, and takes back the try that was recorded. */
export async function refuseUncounted(ctx: Ctx, refused: Violation, recorded: Attempts | undefined): Promise<never> {
  if (recorded) await undoAttempt(ctx.db, passwordKey(requireSession(ctx)))
  throw new Refusal(refused)
}
