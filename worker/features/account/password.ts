import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { accountApi } from '#contract/account/index.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { updatePassword } from './sql/accounts.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guard } from '#db/guard.ts'
import { consumeProof, selectProved } from '#features/verify/sql/session-proof.ts'
import { forgetFailures } from '#features/login/sql/attempts.ts'
import { isCredentialValid, selectUserById } from './sql/users.ts'
import { contactsOf, isFirstContact } from '#domain/account/contact-change.ts'
import { checkPassword } from '#domain/account/password.ts'
import { passwordNotice } from '#domain/account/security-notice.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { signedInClient } from '#http/hash-client.ts'
import { sendSecurityNotice } from './service.ts'
import { securityWrites } from './security-writes.ts'

const FIELD = 'new_password'

/** New password of the main account, once the identity step was done. */
export async function editPassword(
  ctx: Ctx,
  { new_password: password }: Parsed<typeof accountApi.editPassword>,
): Promise<void> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const { accountId } = session
  const { users, proved } = await batch(db, {
    users: selectUserById(db, accountId, null),
    proved: selectProved(db, session, now),
  })
  const [user] = users
  if (!user) return refuse('SESSION_REVOKED')
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
    password: updatePassword(db, accountId, hash),
    failures: forgetFailures(db, `main:${accountId}`),
    ...securityWrites(ctx, user.hub, notice),
    audit: auditRow(ctx, { module: 'account', action: 'edit_password', target: username, message: '修改登录密码' }),
  })
  const had = contactsOf(user)
  sendSecurityNotice(ctx, notice, { host: user.host, phones: [had.phone], emails: [had.email] })
}
