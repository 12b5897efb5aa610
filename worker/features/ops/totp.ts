import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { endSessionsByUser } from '#features/login/sql/sessions.ts'
import { deleteRecoveryCodes, deleteTotpFactor } from '#features/login/sql/totp.ts'
import { selectUserByLoginName } from '#features/account/sql/users.ts'
import { operatorResetNotice } from '#domain/account/security-notice.ts'
import { personKey } from '#domain/account/user.ts'
import type { Ctx } from '#http/context.ts'
import { insertPersonMessages, sendPersonNotice } from '#features/account/service.ts'
import { operatorAudit } from './audit.ts'

/** Operator's reset of the lost second factor of a main account, after a check of its owner's identity. */
export async function resetTotp(ctx: Ctx, { account }: Parsed<(typeof opsApi)['resetTotp']>): Promise<void> {
  const { db, now } = ctx
  const user = await requireRow(selectUserByLoginName(db, { text: account, phone: null }), 'ACCOUNT_NOT_FOUND')
  if (user.hasTotp === 0) return refuse('TOTP_OFF')
  const { accountId } = user
  const owner = { accountId, person: personKey(user) }
  const notice = operatorResetNotice(user.username, now)
  await batch(db, {
    codes: deleteRecoveryCodes(db, owner),
    factor: deleteTotpFactor(db, owner),
    sessions: endSessionsByUser(db, { accountId, ramId: null }, now),
    ...insertPersonMessages(ctx, user, notice),
    audit: operatorAudit(ctx, accountId, {
      action: 'account/totp_reset',
      target: account,
      message: '运营重置主账号的两步验证',
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  sendPersonNotice(ctx, user, notice)
}
