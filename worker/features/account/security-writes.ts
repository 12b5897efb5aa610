import type { HubName } from '#contract/kernel/hubs.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { endOtherSessions } from '#features/login/sql/sessions.ts'
import type { SecurityNotice } from '#domain/account/security-notice.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { insertSecurityMessage } from './service.ts'
import { deleteRecoveries } from './sql/users.ts'

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
