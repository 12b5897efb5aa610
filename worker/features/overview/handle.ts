import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { isAllowed } from '#contract/kernel/permissions.ts'
import type { overviewApi } from '#contract/overview/index.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { findAlert } from '#domain/health/handling.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { faultText, log } from '#http/log.ts'
import { insertCommand } from '#features/monitor/sql.ts'
import { randomHex } from '#security/secrets.ts'
import { evaluateOverview } from './evaluate.ts'
import { insertHandler } from './sql.ts'

/* Takes over a row that needs attention (我来处理). */

/** An open alert is acknowledged if the role may do so; else the row gets a handler of its own. */
export async function handle(ctx: Ctx, { id }: Parsed<(typeof overviewApi)['handle']>): Promise<void> {
  const { db, now } = ctx
  const { accountId, username, grants } = requireSession(ctx)
  const { account, attention, answer } = await evaluateOverview(ctx, now - HEALTH.curveMs)
  const row = attention.find((one) => one.id === id) ?? refuse('ATTENTION_OVER')
  if (row.handled !== null) {
    if (row.handled.by === username) return
    refuse('ATTENTION_HANDLED')
  }
  const alert = isAllowed('monitor:edit', grants) ? findAlert(row, answer?.alerts ?? []) : undefined
  const change = alert
    ? {
        command: insertCommand(db, {
          id: randomHex(16),
          accountId,
          kind: 'acknowledge',
          target: alert.id,
          actor: username,
          at: now,
        }),
      }
    : insertHandler(db, { accountId, trouble: id, name: username, at: now, since: row.since })
  await batch(db, {
    ...change,
    audit: auditRow(ctx, {
      module: 'overview',
      action: 'handle',
      target: alert?.id ?? id,
      message: `${alert ? '确认告警，' : ''}处理“${row.name}”：${row.cause}`.slice(0, MESSAGE_MAX),
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [account.hub])),
  })
  const fault = (error: unknown) => log('warn', 'account hub', { hub: account.hub, error: faultText(error) })
  await ctx.hubs.account(account.hub).refresh().catch(fault)
}

const MESSAGE_MAX = 200
