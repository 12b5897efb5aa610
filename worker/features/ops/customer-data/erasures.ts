import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { ERASURE } from '#contract/ops/limits.ts'
import { batch } from '#db/batch.ts'
import { deliverOutbox, notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { endClientSessionsOfAccount } from '#features/client/sql/sessions.ts'
import { endSessionsByUser } from '#features/login/sql/sessions.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from '../audit.ts'
import { type ErasureContext, ErasureRun } from './erasure-run.ts'
import { updateAccountStatus } from '../sql/accounts.ts'
import {
  type Erasure,
  deleteAlertSettings,
  insertErasure,
  selectErasable,
  selectErasure,
  selectErasures,
  selectOpenErasures,
} from '../sql/erasures.ts'

/* Erasure of an account: refused while it is in use, then in calls that may be interrupted and repeated. */

type Answer = Output<typeof opsApi.accountErase>

/**
 * Begins the erasure of an account, or goes on with it, for some seconds. The account is disabled, and its sessions and
 * alerts end, before any other row is deleted; from then on operator's calls do not find it.
 */
export async function eraseAccount(ctx: Ctx, input: Parsed<typeof opsApi.accountErase>): Promise<Answer> {
  const { account, confirm, after } = input
  const accountId = after ?? (await begin(ctx, account, confirm === 1))
  const erasure = await requireRow(selectErasure(ctx.db, accountId), 'ERASURE_NOT_FOUND')
  return continueErasure({ ...ctx, runId: ctx.requestId }, erasure)
}

async function begin(ctx: Ctx, username: string, isConfirmed: boolean): Promise<number> {
  const { db, hubs, now, operator } = ctx
  const account = await requireRow(selectErasable(db, username), 'ACCOUNT_NOT_FOUND')
  const { id, hub, status, directoryHub, isErasing, hasNodes, online } = account
  if (isErasing) return id
  if (hasNodes) return refuse('ACCOUNT_HAS_NODES')
  if (!isConfirmed && (status === 1 || online > 0)) return refuse('ACCOUNT_IN_USE', { online })
  await batch(db, {
    erasure: insertErasure(db, { accountId: id, startedAt: now, startedBy: operator?.name ?? '', directoryHub }),
    account: updateAccountStatus(db, id, 0),
    sessions: endSessionsByUser(db, { accountId: id }, now),
    clients: endClientSessionsOfAccount(db, id, now),
    ...deleteAlertSettings(db, id),
    audit: operatorAudit(ctx, 0, { action: 'account/erase', target: String(id), message: '运营开始清除账号数据' }),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
  await deliverOutbox(db, hubs, ctx.hubOutbox.splice(0), now) // sockets end while their sessions are known
  return id
}

export async function listErasures({ db }: Ctx): Promise<Output<typeof opsApi.accountErasures>> {
  return (await selectErasures(db)).map(({ accountId, startedAt, startedBy, finishedAt, hubsLeft }) => ({
    account_id: accountId,
    started_at: startedAt,
    started_by: startedBy,
    finished_at: finishedAt,
    hubs_left: hubsLeft,
  }))
}

/** Goes on with erasures that were interrupted, or wait for hubs, for the time of one call. */
export async function continueErasures(ctx: ErasureContext): Promise<void> {
  const until = Date.now() + ERASURE.callMs
  for (const erasure of await selectOpenErasures(ctx.db)) {
    await continueErasure(ctx, erasure)
    if (Date.now() >= until) return
  }
}

/** Goes on with one erasure for the time of a call. */
async function continueErasure(ctx: ErasureContext, { accountId, directoryHub, rowsAt }: Erasure): Promise<Answer> {
  const run = new ErasureRun(ctx, accountId)
  const isRowless = rowsAt !== null || (await run.deleteRows())
  const left = isRowless ? await run.deleteHubs(directoryHub) : 0
  const isDone = isRowless && left === 0
  const hasMoved = Object.values(run.deleted).some((count) => count > 0)
  return {
    account_id: accountId,
    ...run.deleted,
    hubs_left: left,
    done: toWireBoolean(isDone),
    next: isDone || !hasMoved ? null : accountId,
  }
}
