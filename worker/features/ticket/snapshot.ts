import { refuse } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import type { Snapshot, SnapshotTarget } from '#contract/ticket/snapshot.ts'
import type { Results } from '#db/batch.ts'
import { toNetworkSnapshot, toRouterSnapshot } from '#domain/ticket/snapshot.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { readTransitions, askNetworkHub } from '#features/network/service.ts'
import type { selectSnapshotRows } from './sql/snapshot.ts'

type SnapshotRows = Results<ReturnType<typeof selectSnapshotRows>>

/** Asks the hubs for what no row holds. One that does not answer leaves a gap, and the ticket is written all the same. */
export async function createSnapshot(
  ctx: Ctx,
  accountHub: HubName,
  target: SnapshotTarget | null,
  rows: SnapshotRows,
): Promise<Snapshot | null> {
  if (target === null) return null
  return target.kind === 'router' ? snapshotRouter(ctx, accountHub, rows) : snapshotNetwork(ctx, rows)
}

async function snapshotRouter(ctx: Ctx, accountHub: HubName, { router, routerNetworks = [] }: SnapshotRows) {
  const [row] = router ?? []
  if (!row) return refuse('ROUTER_NOT_FOUND')
  const { grants } = requireSession(ctx)
  const seen = routerNetworks.filter(({ number }) => coversNetwork(grants, number))
  const [transitions, ...answers] = await Promise.all([
    readTransitions(ctx, accountHub, row.hub),
    ...seen.map(({ hub, revision }) => askNetworkHub(hub, () => ctx.hubs.network(hub).routerLinks(revision, row.name))),
  ])
  const links = seen.map(({ number }, i) => ({ number, links: answers[i]?.links ?? null }))
  return toRouterSnapshot({ ...row, networks: seen, transitions, links }, ctx.now)
}

async function snapshotNetwork(ctx: Ctx, { network, members = [] }: SnapshotRows) {
  const [row] = network ?? []
  if (!row) return refuse('NETWORK_NOT_FOUND')
  const view = await askNetworkHub(row.hub, () => ctx.hubs.network(row.hub).status(row.revision))
  return toNetworkSnapshot({ ...row, members, view }, ctx.now)
}
