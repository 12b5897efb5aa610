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

export async function listFrs(ctx: Ctx, { search, ...page }: Parsed<Api['lists']>) {
  const { data, count } = await paged(ctx.db, selectFrs(ctx.db, requireSession(ctx), search).$dynamic(), page)
  const rows = data.map((row) => ({
    ...row,
    expire_time: row.expireAt,
    expire_day: daysLeft(row, ctx.now),
    networks: JSON.parse(row.networks) as Row['networks'],
    areas: JSON.parse(row.areas) as Row['areas'],
  }))
  return { data: rows, count }
}

export async function frConfig(ctx: Ctx, input: Parsed<Api['config']>) {
  const scope = requireSession(ctx)
  const { networks, frs } = await batch(ctx.db, {
    networks: selectNetworkMode(ctx.db, scope, input.network_number),
    frs: selectUsableFrs(ctx.db, scope, ctx.now),
  })
  const [network = refuse('NETWORK_NOT_FOUND')] = networks
  const data = frs.map(({ network_fr_id, name, shortname }) => ({ network_fr_id, shortname: shortname || name }))
  return { mode: network.mode, data }
}

export async function frAreas(ctx: Ctx, input: Parsed<Api['ov']>) {
  const scope = requireSession(ctx)
  const { networks, areas } = await batch(ctx.db, {
    networks: selectNetworkMode(ctx.db, scope, input.network_number),
    areas: selectNetworkAreas(ctx.db, scope, input.network_number),
  })
  return networks.length > 0 ? areas : refuse('NETWORK_NOT_FOUND')
}
