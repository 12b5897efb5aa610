import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { HUB_HOLD } from '#contract/kernel/hub-limits.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { type Results, batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { countStillMissing, forgetMissing, selectHoldStatus, selectStillMissing, switchHold } from '#db/missing-rows.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from './audit.ts'

/* Operator's hold of devices without a row, and the decision that missing hubs and devices are gone. */

type Status = Output<typeof opsApi.holdStatus>

const selectMissing = (db: Db) => ({ counts: countStillMissing(db), rows: selectStillMissing(db) })

export const holdOn = (ctx: Ctx): Promise<Status> => switchTo(ctx, true)
export const holdOff = (ctx: Ctx): Promise<Status> => switchTo(ctx, false)

async function switchTo(ctx: Ctx, isOn: boolean): Promise<Status> {
  const { db, now, operator } = ctx
  const entry = isOn
    ? { action: 'hubs/hold_on', target: 'hubs', message: '运营暂停设备清理' }
    : { action: 'hubs/hold_off', target: 'hubs', message: '运营恢复设备清理' }
  const found = await batch(db, {
    hold: switchHold(db, isOn, operator?.name ?? '', now),
    audit: operatorAudit(ctx, 0, entry),
    status: selectHoldStatus(db, now).hold,
    recent: selectHoldStatus(db, now).recent,
    ...selectMissing(db),
  })
  return toStatus(found.status[0], found.recent, found)
}

export async function holdStatus({ db, now }: Ctx): Promise<Status> {
  const found = await batch(db, { ...selectHoldStatus(db, now), ...selectMissing(db) })
  return toStatus(found.hold[0], found.recent, found)
}

/** Lists what is missing. Confirmed: devices are closed with 4002 when they connect, hubs get a `remove` of the outbox. */
export async function forgetHubs(ctx: Ctx, { confirm }: Parsed<typeof opsApi.forgetHubs>) {
  const { db, now } = ctx
  const listed = toMissing(await batch(db, selectMissing(db)))
  if (confirm !== 1) return { ...listed, forgotten: 0 }
  const after = Object.fromEntries(listed.counts.map(({ kind, count }) => [kind, count]))
  const entry = { action: 'hubs/forget', target: 'hubs', message: '运营确认清理数据行缺失的设备和实时服务' }
  const { rows } = await batch(db, {
    ...forgetMissing(db, now),
    audit: operatorAudit(ctx, 0, { ...entry, after }),
  })
  return { ...listed, forgotten: rows.length }
}

function toStatus(
  hold: Results<ReturnType<typeof selectHoldStatus>>['hold'][number] | undefined,
  [recent]: Results<ReturnType<typeof selectHoldStatus>>['recent'],
  missing: Results<ReturnType<typeof selectMissing>>,
): Status {
  return {
    since: hold?.since ?? null,
    changed_at: hold?.changedAt ?? null,
    changed_by: hold?.changedBy ?? '',
    recent: recent?.[0] ?? 0,
    limit: HUB_HOLD.max,
    missing: toMissing(missing),
  }
}

const toMissing = ({ counts, rows }: Results<ReturnType<typeof selectMissing>>): Status['missing'] => ({
  counts: counts.map(([kind, count]) => ({ kind, count })),
  rows: rows.map(({ kind, name, serial, firstAt, lastAt }) => ({
    kind,
    name,
    serial,
    first_at: firstAt,
    last_at: lastAt,
  })),
})
