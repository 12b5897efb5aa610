import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { ramApi } from '#contract/ram/index.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guard } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { deleteAttempts, recordAttempt, undoAttempt } from '#db/rate-limit.ts'
import { endSessionsByUser } from '#features/login/sql/sessions.ts'
import { isCredentialValid, selectUserById } from '#features/account/sql/users.ts'
import { checkPassword } from '#domain/account/password.ts'
import { subPasswordNotice } from '#domain/account/security-notice.ts'
import { checkAttempts } from '#domain/login/sign-in.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { signedInClient } from '#http/hash-client.ts'
import { insertSecurityMessage, sendSecurityNotice } from '#features/account/service.ts'
import { updateRam } from './sql.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { personKey } from '#domain/account/user.ts'

/**
 * Changes a sub-account's own password. All its sessions end, this one too, and it signs in again with the new password.
 * The account holder gets the mail, because a sub-account has no contacts.
 */
export async function changeRamPassword(
  ctx: Ctx,
  { old_password: oldPassword, password }: Parsed<typeof ramApi.password>,
): Promise<void> {
  const { db, now } = ctx
  const { accountId, ramId, username } = requireSession(ctx)
  if (ramId === null) return refuse('PERMISSION_DENIED')
  if (oldPassword === password) refuse('PASSWORD_UNCHANGED')
  throwIf(checkPassword(password, { names: [username] })) // a weak new password costs no guess of the old one
  const key = `password:ram:${ramId}`
  const { users, attempts } = await batch(db, {
    users: selectUserById(db, accountId, ramId),
    attempts: recordAttempt(db, key, LOGIN_GUARD.pauseMinutes * 60_000, now),
  })
  const [[user], [attempt]] = [users, attempts]
  if (!user?.ramPassword || !attempt) return refuse('SESSION_REVOKED')
  throwIf(checkAttempts([{ attempts: attempt, limit: LOGIN_GUARD.failures }], now, 'PASSWORD_PAUSED'))
  const check = { password: oldPassword, stored: user.ramPassword }
  const checked = ctx.passwords.run(signedInClient(ctx), { check, hash: { password } })
  const { isRight, hash } = await checked.catch(async (error: unknown) => {
    await undoAttempt(db, key) // no password was checked
    throw error
  })
  if (!isRight || hash === null) return refuse('OLD_PASSWORD_WRONG')
  const personal = checkPassword(password, { names: [user.ramNickname, user.username], phone: user.phone })
  if (personal) {
    await undoAttempt(db, key) // the old password was right; without it nobody learns whose phone or name this is
    throw new Refusal(personal)
  }
  const notice = subPasswordNotice(username, ctx)
  const credential = { accountId, ramId, password: user.ramPassword }
  await batch(db, {
    credential: guard(db, isCredentialValid(credential), violation('OLD_PASSWORD_WRONG')),
    password: updateRam(db, accountId, ramId, { password: hash }),
    sessions: endSessionsByUser(db, { accountId, ramId }, now),
    attempts: deleteAttempts(db, key),
    audit: auditRow(ctx, { module: 'ram', action: 'password', target: username, message: '修改登录密码' }),
    message: insertSecurityMessage(ctx, accountId, notice, personKey({ accountId, ramId })),
    hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  sendSecurityNotice(ctx, notice, { host: user.host, phones: [], emails: [user.email ?? ''] })
}
