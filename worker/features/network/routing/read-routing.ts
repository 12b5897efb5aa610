import { refuse } from '#contract/kernel/errors.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { batch } from '#db/batch.ts'
import { selectNetworkSettings } from '../sql/settings.ts'
import { readNetworkSettings } from '#domain/network/history/stored-settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectMembers, selectNetwork } from '../sql/networks.ts'
import { toRoutingView } from '../views.ts'
import type { networkApi } from '#contract/network/index.ts'

type Api = typeof networkApi

export async function networkPrefix(
  ctx: Ctx,
  { network_number: number }: Parsed<Api['prefix']>,
): Promise<{ data: Output<Api['prefix']>; revision: number }> {
  const { networks, settings } = await batch(ctx.db, selectSettings(ctx, number))
  if (networks.length === 0) refuse('NETWORK_NOT_FOUND')
  const { values, revisions } = readNetworkSettings(settings)
  return { data: [...values.prefix], revision: revisions.prefix }
}

export async function networkRouting(
  ctx: Ctx,
  { network_number: number }: Parsed<Api['routing']>,
): Promise<Output<Api['routing']>> {
  const { networks, settings, members } = await batch(ctx.db, {
    ...selectSettings(ctx, number),
    members: selectMembers(ctx.db, requireSession(ctx), number),
  })
  if (networks.length === 0) refuse('NETWORK_NOT_FOUND')
  const { values, revisions } = readNetworkSettings(settings)
  return { ...toRoutingView(values.routing, members), revision: revisions.routing }
}

const selectSettings = (ctx: Ctx, number: string) => ({
  networks: selectNetwork(ctx.db, requireSession(ctx), number),
  settings: selectNetworkSettings(ctx.db, requireSession(ctx), number),
})
