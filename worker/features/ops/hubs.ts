import type { Parsed } from '#contract/kernel/endpoint.ts'
import { HUB_KINDS, type HubKind } from '#contract/kernel/hubs.ts'
import { HUB_REFRESH_PAGE } from '#contract/kernel/hub-limits.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from './audit.ts'
import { selectHubs } from './sql/accounts.ts'

/** Operator's refresh of all hubs: one page per call into the hub outbox. `next` starts the next page, null at the end. */
export async function refreshHubs(ctx: Ctx, { after = `${HUB_KINDS[0]}:0` }: Parsed<typeof opsApi.refreshHubs>) {
  const [kind, id] = after.split(':') as [HubKind, string]
  const rows = await selectHubs(ctx.db, kind, Number(id), HUB_REFRESH_PAGE)
  const last = rows.at(-1)
  const following = HUB_KINDS[HUB_KINDS.indexOf(kind) + 1]
  const next =
    last && rows.length === HUB_REFRESH_PAGE ? `${kind}:${last.id}` : following === undefined ? null : `${following}:0`
  const hubs = rows.map(({ hub }) => hub).filter((hub) => hub !== '') // rows of older releases may have no hub
  const entry = { action: 'hubs/refresh', target: after, message: '运营刷新实时服务' }
  await batch(ctx.db, {
    audit: operatorAudit(ctx, 0, { ...entry, after: { queued: hubs.length } }),
    hubs: notifyHubs(ctx, refreshTasks(kind, hubs)),
  })
  return { queued: hubs.length, next }
}
