import type { Extra, Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { paged } from '#db/paged.ts'
import { endSessionsByUser } from '#features/login/sql/sessions.ts'
import { deleteRecoveryCodes, deleteTotpFactor } from '#features/login/sql/totp.ts'
import { selectUserById } from './sql/users.ts'
import { personKey } from '#domain/account/person.ts'
import { totpNotice } from '#domain/account/totp-notice.ts'
import { loginNameOf } from '#domain/account/user.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { insertPersonMessages, insertSecurityMessage, sendPersonNotice } from './service.ts'
import { endSessionsWithoutTotp, selectRamFactors, updateRamTotpRequired } from './sql/totp.ts'
import type { accountApi } from '#contract/account/index.ts'

type Api = typeof accountApi

export async function listRamTotp(
  ctx: Ctx,
  page: Parsed<Api['totpRams']>,
): Promise<{ data: Output<Api['totpRams']> } & Extra<Api['totpRams']>> {
  const { data, count } = await paged(ctx.db, selectRamFactors(ctx.db, requireAccountId(ctx)).$dynamic(), page)
  const rows = data.map(({ ramId, username, ramDomain, nickname, enrolledAt }) => ({
    ram_id: ramId,
    username: `${username}@${ramDomain}`,
    nickname,
    enrolled_time: enrolledAt,
  }))
  return { data: rows, count }
}

/** A second factor of all sub-accounts, or no more. Those that have none are signed out, and set one up with their next sign-in. */
export async function requireRamTotp(ctx: Ctx, { required }: Parsed<Api['totpRequire']>): Promise<void> {
  const { db, now } = ctx
  const { accountId, username } = requireSession(ctx)
  const user = (await selectUserById(db, accountId, null))[0] ?? refuse('SESSION_REVOKED')
  if (user.ramTotpRequired === required) return
  const notice = totpNotice(username, required === 1 ? 'required' : 'optional', ctx)
  await batch(db, {
    flag: updateRamTotpRequired(db, accountId, required),
    ended: required === 1 && endSessionsWithoutTotp(db, accountId, now),
    message: insertSecurityMessage(ctx, accountId, notice),
    audit: auditRow(ctx, {
      module: 'account',
      action: 'totp_require',
      target: username,
      message: required === 1 ? '要求子账号使用两步验证' : '取消子账号使用两步验证的要求',
      before: { required: user.ramTotpRequired },
      after: { required },
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  sendPersonNotice(ctx, user, notice)
}

/** Resets a lost second factor. A sub-account that has none answers the same, and nothing is written. */
export async function resetRamTotp(ctx: Ctx, { ram_id: ramId }: Parsed<Api['totpReset']>): Promise<void> {
  const { db, now } = ctx
  const { accountId } = requireSession(ctx)
  const [user] = await selectUserById(db, accountId, ramId)
  if (!user || user.ramId === null) return refuse('RAM_NOT_FOUND')
  if (user.hasTotp === 0) return
  const owner = { accountId, person: personKey({ accountId, ramId }) }
  const name = loginNameOf(user)
  const notice = totpNotice(name, 'reset', ctx)
  await batch(db, {
    codes: deleteRecoveryCodes(db, owner),
    factor: deleteTotpFactor(db, owner),
    sessions: endSessionsByUser(db, { accountId, ramId }, now),
    ...insertPersonMessages(ctx, user, notice),
    audit: auditRow(ctx, {
      module: 'account',
      action: 'totp_reset',
      target: name,
      message: `重置子账号“${name}”的两步验证`,
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  sendPersonNotice(ctx, user, notice)
}
