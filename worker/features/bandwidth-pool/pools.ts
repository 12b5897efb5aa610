import type { bandwidthPoolApi } from '#contract/bandwidth-pool/index.ts'
import countries from '#contract/country/countries.json' with { type: 'json' }
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { batch } from '#db/batch.ts'
import { paged, selectPage } from '#db/paged.ts'
import { requireRow } from '#db/require-row.ts'
import { checkPoolBandwidth } from '#domain/saas/bandwidth.ts'
import { toDeviceView } from '#domain/saas/view.ts'
import { saveBandwidth } from '#features/saas/service.ts'
import { selectDeviceToEdit } from '#features/saas/sql.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectPool, selectPoolDevices, selectPools } from './sql.ts'

/* Bandwidth pools (带宽池): their list, their devices, and the bandwidth of one device. */

type Api = typeof bandwidthPoolApi

export const listPools = (ctx: Ctx, { search, ...page }: Parsed<Api['lists']>) =>
  paged(ctx.db, selectPools(ctx.db, requireSession(ctx), search).$dynamic(), page)

export const poolInfo = (ctx: Ctx, { id }: Parsed<Api['info']>) =>
  requireRow(selectPool(ctx.db, requireSession(ctx), id), 'POOL_NOT_FOUND')

const NAME_BY_CODE: ReadonlyMap<string, string> = new Map(countries.map(({ code, CNName }) => [code, CNName]))

export async function listPoolDevices(ctx: Ctx, input: Parsed<Api['router']>) {
  const scope = requireSession(ctx)
  const { pool, data, total } = await batch(ctx.db, {
    pool: selectPool(ctx.db, scope, input.pool_id),
    ...selectPage(ctx.db, selectPoolDevices(ctx.db, scope, input).$dynamic(), input),
  })
  if (pool.length === 0) return refuse('POOL_NOT_FOUND')
  const rows = data.map((row) => ({ ...toDeviceView(row, ctx.now), export: NAME_BY_CODE.get(row.country) ?? '' }))
  return { data: rows, count: total[0]?.[0] ?? 0 }
}

/** Sets the bandwidth of a device in a pool, in any edition. */
export async function editPoolBandwidth(ctx: Ctx, { router_name, bandwidth }: Parsed<Api['bandwidth']>): Promise<void> {
  const { db, now } = ctx
  const [device] = await selectDeviceToEdit(db, requireSession(ctx), router_name)
  if (!device || device.poolId === null) return refuse('SAAS_NOT_FOUND')
  throwIf(checkPoolBandwidth(device, bandwidth, now))
  await saveBandwidth(ctx, device, bandwidth, {
    module: 'bandwidth_pool',
    message: `修改带宽池中设备“${device.name}”的带宽`,
  })
}
