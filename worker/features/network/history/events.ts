import { refuse } from '#contract/kernel/errors.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { NetworkEvents } from '#contract/network/history.ts'
import { batch } from '#db/batch.ts'
import { toMove } from '#domain/health/history.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { memberCondition, selectNetwork } from '../sql/networks.ts'
import type { networkApi } from '#contract/network/index.ts'
import { selectConnections } from '#features/logs/sql/member-records.ts'

const AROUND_MS = 3_600_000

/** Connections of a network's members at the time of an alert, which links here. */
export async function listNetworkEvents(
  ctx: Ctx,
  { network_number, at }: Parsed<(typeof networkApi)['events']>,
): Promise<NetworkEvents> {
  const { db } = ctx
  const scope = requireSession(ctx)
  const [from, to] = [at - AROUND_MS, at + AROUND_MS]
  const { networks, lines } = await batch(db, {
    networks: selectNetwork(db, scope, network_number),
    lines: selectConnections(db, scope, { of: memberCondition(db, scope, network_number), from, to }),
  })
  if (networks.length === 0) return refuse('NETWORK_NOT_FOUND')
  return {
    from,
    to,
    transitions: lines.map((line) => ({ ...toMove(line), router_name: line.router_name, note: line.note })),
  }
}
