import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type {
  AlertChildRow,
  AlertRow,
  AlertTask,
  AlertTaskState,
  UnsentRow,
  monitorApi,
} from '#contract/monitor/index.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { type AuditEntry, auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { faultText, log } from '#http/log.ts'
import { randomHex } from '#security/secrets.ts'
import { insertCommand } from './sql.ts'

/* Alerts of an account and their deliveries, as its hub stores them: lists, acknowledgement, resending. */

type Api = typeof monitorApi

/** Alerts of the account: one read for the hub's name, then one call of the hub. */
export async function listAlerts(ctx: Ctx, { page, limit, search, status, rule }: Parsed<Api['alerts']>) {
  const question = { page, limit, search, status, rule, networks: requireSession(ctx).grants.networks }
  const hub = await readHub(ctx)
  const answer = await ctx.hubs.account(hub).alerts(question)
  const { rows, count, open } = answer ?? { rows: [], count: 0, open: 0 }
  return { data: [...rows] as AlertRow[], count, open }
}

export async function listChildren(ctx: Ctx, { alert_id }: Parsed<Api['children']>): Promise<AlertChildRow[]> {
  const hub = await readHub(ctx)
  const { networks } = requireSession(ctx).grants
  const found = await ctx.hubs.account(hub).alertChildren(alert_id, networks)
  return [...(found ?? refuse('ALERT_NOT_FOUND'))]
}

export async function listDeliveries(ctx: Ctx, input: Parsed<Api['deliveries']>) {
  const { page, limit, channel, state, alert_id: alertId, target } = input
  const question = { page, limit, channel, state, alertId, target, networks: requireSession(ctx).grants.networks }
  const hub = await readHub(ctx)
  const answer = await ctx.hubs.account(hub).alertDeliveries(question)
  const { rows, count, paused } = answer ?? { rows: [], count: 0, paused: 0 }
  // A hub of the release before does not name `waits`.
  return { data: rows.map(({ waits = 0, ...row }) => ({ ...row, waits })), count, paused }
}

export async function listUnsent(ctx: Ctx): Promise<UnsentRow[]> {
  const hub = await readHub(ctx)
  const { networks } = requireSession(ctx).grants
  return [...((await ctx.hubs.account(hub).alertUnsent(networks)) ?? [])]
}

export async function acknowledge(ctx: Ctx, { alert_id }: Parsed<Api['acknowledge']>): Promise<void> {
  const [hub, state] = await findTask(ctx, 'acknowledge', alert_id)
  if (state === 'unknown') refuse('ALERT_NOT_FOUND')
  if (state === 'over') refuse('ALERT_OVER')
  if (state === 'done') return
  const entry = { module: 'monitor', action: 'acknowledge', target: alert_id, message: '确认告警' }
  await command(ctx, hub, 'acknowledge', entry)
}

export async function resend(ctx: Ctx, { delivery_id }: Parsed<Api['resend']>): Promise<void> {
  const [hub, state] = await findTask(ctx, 'resend', delivery_id)
  if (state === 'unknown') refuse('DELIVERY_NOT_FOUND')
  if (state === 'over') refuse('DELIVERY_OUTDATED')
  if (state !== 'open') refuse('DELIVERY_UNDER_WAY')
  const entry = { module: 'monitor', action: 'resend', target: delivery_id, message: '重发告警通知' }
  await command(ctx, hub, 'resend', entry)
}

async function findTask(ctx: Ctx, kind: AlertTask['kind'], target: string): Promise<[HubName, AlertTaskState]> {
  const hub = await readHub(ctx)
  const { networks } = requireSession(ctx).grants
  return [hub, (await ctx.hubs.account(hub).alertTask({ kind, target, networks })) ?? 'unknown']
}

/** Stores audit row and command in one batch. The hub reads the command at once, or later from the hub outbox. */
async function command(ctx: Ctx, hub: HubName, kind: AlertTask['kind'], entry: AuditEntry): Promise<void> {
  const { db, now } = ctx
  const { accountId, username } = requireSession(ctx)
  await batch(db, {
    command: insertCommand(db, { id: randomHex(16), accountId, kind, target: entry.target, actor: username, at: now }),
    audit: auditRow(ctx, entry),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
  const fault = (error: unknown) => log('warn', 'account hub', { hub, error: faultText(error) })
  await ctx.hubs.account(hub).refresh().catch(fault)
}

async function readHub(ctx: Ctx): Promise<HubName> {
  const [account] = await selectAccountHub(ctx.db, requireSession(ctx).accountId)
  return account?.hub ?? refuse('SESSION_REVOKED')
}
