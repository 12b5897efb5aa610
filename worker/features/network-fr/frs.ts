import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { networkFrApi } from '#contract/network-fr/index.ts'
import { batch } from '#db/batch.ts'
import { paged } from '#db/paged.ts'
import { daysLeft } from '#domain/network-fr/resource.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectFrs, selectNetworkMode, selectUsableFrs, selectNetworkAreas } from './sql/frs.ts'

/* POP resources of an account: their list, those usable for a network, and the areas of a network. */

type Api = typeof networkFrApi
type Row = Output<Api['lists']>[number]

export async function listFrs(ctx: Ctx, { page, limit, search }: Parsed<Api['lists']>) {
  const { data, count } = await paged(ctx.db, selectFrs(ctx.db, requireSession(ctx), search).$dynamic(), {
    page,
    limit,
  })
  const rows = data.map((row): Row => ({
    network_fr_id: row.id,
    name: row.name,
    create_time: row.createdAt,
    expire_day: daysLeft(row, ctx.now),
    status: row.status,
    networks: JSON.parse(row.networks) as Row['networks'],
    areas: JSON.parse(row.areas) as Row['areas'],
  }))
  return { data: rows, count }
}

export async function frConfig(ctx: Ctx, input: Parsed<Api['config']>): Promise<Output<Api['config']>> {
  const scope = requireSession(ctx)
  const {
    network: [network],
    frs,
  } = await batch(ctx.db, {
    network: selectNetworkMode(ctx.db, scope, input.network_number),
    frs: selectUsableFrs(ctx.db, scope, ctx.now),
  })
  if (!network) return refuse('NETWORK_NOT_FOUND')
  const data = frs.map(({ network_fr_id, name, shortname }) => ({ network_fr_id, shortname: shortname || name }))
  return { mode: network.mode, data }
}

export async function frAreas(ctx: Ctx, input: Parsed<Api['ov']>): Promise<Output<Api['ov']>> {
  const scope = requireSession(ctx)
  const {
    network: [network],
    areas,
  } = await batch(ctx.db, {
    network: selectNetworkMode(ctx.db, scope, input.network_number),
    areas: selectNetworkAreas(ctx.db, scope, input.network_number),
  })
  return network ? areas : refuse('NETWORK_NOT_FOUND')
}
