import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { replaceCarriers, selectNodes } from '#features/network-fr/sql/nodes.ts'
import type { Results } from '#db/batch.ts'
import { guardSubnetIndexes, selectPoolSegments, selectUsedIndexes } from '../sql/subnet-indexes.ts'
import { freeSubnetIndexes } from '#domain/network/addresses/addresses.ts'
import type { PopNode } from '#domain/network/compile/rows.ts'
import { DEFAULT_MEMBER_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { pickNodes } from '#domain/network-fr/nodes.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import type { LoadedNetwork } from '../load-settings.ts'
import { type SettingChange, saveSettings } from '../save-setting.ts'
import { areasOfFr, selectFr, selectFrAreas, selectUsableFr } from '../sql/networks.ts'
import type { networkApi } from '#contract/network/index.ts'

type Input = Parsed<(typeof networkApi)['fr']>

const PREFERS = { 1: '中心点优先', 2: 'POP优先' } as const

/** Another resource brings its own nodes: they replace those that carry the network, and members name their areas anew. */
export const chooseFr = (ctx: Ctx, input: Input): Promise<void> =>
  saveSettings(
    ctx,
    input.network_number,
    (loaded, found) => {
      const { mode, network_fr_id: frId, revision } = input
      const { network, stored } = loaded
      const { ip_pool: pool } = stored.values
      if (pool.pop === null || pool.pop_software === null) refuse('FR_POOL_MISSING')
      const fr = found.frs[0] ?? refuse('FR_NOT_USABLE')
      if (revision !== undefined && revision !== network.revision) refuse('NETWORK_CHANGED')
      return {
        columns: { mode, frId },
        ...(network.frId !== frId && changeNodes(ctx, loaded, frId, found)),
        audit: {
          action: 'fr',
          message: `组网“${network.name}”使用POP资源“${fr.name}”，${PREFERS[mode]}`,
          before: { network_fr: found.old[0]?.name ?? '', mode: network.mode },
          after: { network_fr: fr.name, mode },
        },
      }
    },
    () => selectFrPlan(ctx, input),
  )

/** Statements behind the choice of a POP resource, besides the network's settings. */
function selectFrPlan(ctx: Ctx, { network_number: number, network_fr_id: frId }: Input) {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  return {
    old: selectFr(db, scope, number),
    frs: selectUsableFr(db, scope, frId, now),
    frAreas: selectFrAreas(db, scope, frId),
    candidates: selectNodes(db, areasOfFr(frId)),
    used: selectUsedIndexes(db, scope.accountId),
    pool: selectPoolSegments(db, scope.accountId),
  }
}

type Plan = Results<ReturnType<typeof selectFrPlan>>

function changeNodes(
  { db }: Ctx,
  { network, members }: LoadedNetwork,
  frId: number,
  { candidates, frAreas, used, pool }: Plan,
): Pick<SettingChange, 'members' | 'popNodes' | 'statements'> {
  const { nodes, unserved } = pickNodes(candidates)
  if (unserved) refuse('POP_NODE_MISSING', { pop: unserved.pop })
  const indexes = freeSubnetIndexes(nodes.length, {
    usedIndexes: used.map(([index]) => index),
    reported: pool.map(([segment]) => segment),
  })
  if (indexes.length < nodes.length) refuse('SEGMENTS_USED_UP')
  const popNodes = nodes.flatMap(({ popId, routerId, name, hub }, i): (PopNode & { hub: HubName })[] => {
    const area = frAreas.find((one) => one.popId === popId)
    if (!area || routerId === null || name === null || hub === null) return []
    const rows = { routerId, routerName: name, hub, areaId: area.id, bandwidth: area.bandwidth }
    return [{ ...rows, segmentIndex: indexes[i] ?? 0, portIndex: 0, endpoint: null }] // ports are counted by the insert
  })
  return {
    popNodes,
    members: { ov: members.map(({ routerId }) => ({ routerId, value: DEFAULT_MEMBER_SETTINGS.ov })) },
    statements: {
      ...replaceCarriers(
        db,
        { accountId: network.accountId, networkId: network.id },
        frId,
        nodes.map(({ routerId, popId }, i) => [routerId ?? 0, popId, indexes[i] ?? 0]),
      ),
      indexes: guardSubnetIndexes(db, network.accountId),
    },
  }
}
