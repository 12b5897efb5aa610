import { sql } from 'drizzle-orm'
import type { Parsed } from '../../contract/endpoint.ts'
import { refuse } from '../../contract/errors.ts'
import { OV_PRIORITY } from '../../contract/limits.ts'
import type { networkApi } from '../../contract/network.ts'
import { auditRow } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { detectConflict, retryOnConflict } from '../../db/conflict.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { selectNetworkSettings } from '../../db/network-settings.ts'
import { insertVersion } from '../../db/network-versions.ts'
import { clearAreas, replaceCarriers, selectCarriers, selectNodes } from '../../db/pop-nodes.ts'
import { guardSubnetIndexes, selectPoolSegments, selectUsedIndexes } from '../../db/subnet-indexes.ts'
import { freeSubnetIndexes } from '../../domain/network/addresses.ts'
import { hardwareOf } from '../../domain/network/affected.ts'
import { isSuspended } from '../../domain/network/membership.ts'
import { readNetworkSettings } from '../../domain/network/stored-settings.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import { bumpRevision } from './change.ts'
import { toColumnDiff } from './history.ts'
import { selectMembers, selectNetwork } from './queries.ts'
import { areasOfFr, networkIdBy, selectFr, selectUsableFr } from './queries-fr.ts'
import { toMember } from './require.ts'

type Input = Parsed<(typeof networkApi)['fr']>

const PREFERS = { 1: '中心点优先', 2: 'POP优先' } as const

/** Another resource brings its own nodes: they replace those that carry the network, and members name their areas anew. */
export const chooseFr = (ctx: Ctx, input: Input): Promise<void> =>
  retryOnConflict(async () => {
    const { db, now } = ctx
    const { mode, network_fr_id: frId, revision } = input
    const { network, nodes, routers, old, fr, indexes } = await loadFr(ctx, input)
    if (isSuspended(network)) refuse('NETWORK_SUSPENDED')
    if (revision !== undefined && revision !== network.revision) refuse('NETWORK_CHANGED')
    const isOther = network.frId !== frId
    if (!isOther && network.mode === mode) return
    const unserved = nodes.find(({ routerId }) => routerId === null)
    if (isOther && unserved) refuse('POP_NODE_MISSING', { pop: unserved.pop })
    if (isOther && indexes.length < nodes.length) refuse('SEGMENTS_USED_UP')
    const write = batch(db, {
      ...bumpRevision(ctx, network, { mode, frId }),
      ...(isOther && {
        ...replaceCarriers(
          db,
          { accountId: network.accountId, networkId: network.id },
          frId,
          nodes.map(({ routerId, popId }, i) => [routerId ?? 0, popId, indexes[i] ?? 0]),
        ),
        areas: clearAreas(db, network.accountId, sql`${network.id}`, OV_PRIORITY.default, now),
        indexes: guardSubnetIndexes(db, network.accountId),
      }),
      ...insertVersion(ctx, network, toColumnDiff('fr', { mode: network.mode, frId: network.frId }, { mode, frId })),
      audit: auditRow(ctx, {
        module: 'network',
        action: 'fr',
        target: network.number,
        message: `组网“${network.name}”使用POP资源“${fr.name}”，${PREFERS[mode]}`,
        before: { network_fr: old?.name ?? '', mode: network.mode },
        after: { network_fr: fr.name, mode },
      }),
      hubs: notifyHubs(ctx, [...refreshTasks('network', [network.hub]), ...refreshTasks('router', routers)]),
    })
    await detectConflict(write)
  })

/** What the choice is decided by, in one round trip. */
async function loadFr(ctx: Ctx, { network_number: number, network_fr_id: frId }: Input) {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  const found = await batch(db, {
    networks: selectNetwork(db, scope, number),
    settings: selectNetworkSettings(db, scope, number),
    members: selectMembers(db, scope, number),
    old: selectFr(db, scope, number),
    frs: selectUsableFr(db, scope, frId, now),
    nodes: selectNodes(db, areasOfFr(frId)),
    carriers: selectCarriers(db, networkIdBy(scope, number)),
    used: selectUsedIndexes(db, scope.accountId),
    pool: selectPoolSegments(db, scope.accountId),
  })
  const network = found.networks[0] ?? refuse('NETWORK_NOT_FOUND')
  const { ip_pool: ipPool } = readNetworkSettings(found.settings).values
  if (ipPool.pop === null || ipPool.pop_software === null) refuse('FR_POOL_MISSING')
  const hubs = [...hardwareOf(found.members.map(toMember)), ...found.carriers, ...found.nodes].map(({ hub }) => hub)
  return {
    network,
    nodes: found.nodes,
    routers: [...new Set(hubs)].filter((hub) => hub !== null),
    old: found.old[0],
    fr: found.frs[0] ?? refuse('FR_NOT_USABLE'),
    indexes: freeSubnetIndexes(found.nodes.length, {
      usedIndexes: found.used.map(([index]) => index),
      reported: found.pool.map(([segment]) => segment),
    }),
  }
}
