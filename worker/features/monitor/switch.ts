import { refuse } from '#contract/kernel/errors.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { toMonitorSettings } from '#domain/monitor/settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { isAccount, saveSettings, selectMonitor } from './sql.ts'

export const enableMonitor = (ctx: Ctx): Promise<void> => switchMonitor(ctx, true)

export const closeMonitor = (ctx: Ctx): Promise<void> => switchMonitor(ctx, false)

/** Starts or stops monitoring, which concerns the whole account. */
async function switchMonitor(ctx: Ctx, enabled: boolean): Promise<void> {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  if (scope.grants.networks !== null) refuse('MONITOR_LIMITED')
  const [account = refuse('SESSION_REVOKED')] = await selectMonitor(db, isAccount(scope))
  const before = toMonitorSettings(account)
  if (before.enabled === enabled) return
  await batch(db, {
    settings: saveSettings(db, scope.accountId, { ...before, enabled }, now),
    audit: auditRow(ctx, {
      module: 'monitor',
      action: enabled ? 'enable' : 'close',
      target: '',
      message: enabled ? '启动监控告警' : '关闭监控告警',
      before: { enabled: before.enabled },
      after: { enabled },
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [account.hub])),
  })
}
