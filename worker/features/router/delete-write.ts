import type { HubTask } from '#contract/kernel/hubs.ts'
import { auditRows } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { deleteAuthRows } from '#features/auth-source/sql.ts'
import { deleteClientSessions } from '#features/client/sql/sessions.ts'
import { idList } from '#db/columns.ts'
import { bumpRevisions, guardRouterNetworks } from '#db/conflict.ts'
import { endDialsOfDeleted } from './sql/dials.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { deleteMemberships, deleteRouterRows, deleteStates, guardNoNodes, guardNoTunnels } from './sql/deletion.ts'
import { deleteSettingsOfRouters, saveSettingsOfNetworks } from '#features/network/sql/settings.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import { updateNetworkStatus } from '#features/network/sql/status.ts'
import { insertVersions } from '#features/network/sql/versions.ts'
import { affectedByEnd, affectedRouters } from '#domain/network/members/affected.ts'
import {
  endedText,
  type NetworkConsequence,
  consequencesOf,
  toSettingRows,
  toVersions,
} from '#domain/network/members/change.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { deleteSaasDevices } from './sql/manage.ts'
import type { DeletionContext, Peer, Target } from './delete-targets.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** One batch: the members leave their networks, settings that need them end, and their rows are deleted. */
export function deleteTargets(ctx: Ctx, action: string, targets: readonly Target[], around: DeletionContext) {
  const { db } = ctx
  const { accountId } = requireSession(ctx)
  const ids = targets.map(({ id }) => id)
  const memberships = targets.flatMap((target) => target.networks)
  const networks = [...new Map(memberships.map((network) => [network.id, network])).values()]
  const networkIds = networks.map(({ id }) => id)
  const consequences = consequencesOf(targets, around, 'deleted')
  const versions = toVersions(networks, consequences, around.peers, around, new Set(ids))
  return batch(db, {
    revisions: guardRouterNetworks(db, accountId, ids, networks, memberships.length),
    nodes: guardNoNodes(db, ids),
    tunnels: guardNoTunnels(db, ids),
    bumped: bumpRevisions(db, accountId, networkIds),
    ended: saveSettingsOfNetworks(db, accountId, toSettingRows(consequences), ctx.now),
    ...insertVersions(ctx, accountId, versions),
    ...deleteSettingsOfRouters(db, accountId, ids),
    memberships: deleteMemberships(db, accountId, ids),
    ...endDialsOfDeleted(ctx, accountId, ids),
    states: deleteStates(db, accountId, ids),
    saas: deleteSaasDevices(db, accountId, ids),
    sessions: deleteClientSessions(db, accountId, ids),
    ...deleteAuthRows(db, accountId, ids),
    routers: deleteRouterRows(db, accountId, ids),
    status: updateNetworkStatus(db, accountId, ctx.now),
    carriers: refreshCarriers(ctx, idList(networkIds)),
    audit: auditRows(
      ctx,
      targets.map(({ name, note, networks: left }) => ({
        module: 'router',
        action,
        target: name,
        message: `删除成员“${name}”，退出${left.length}个组网${endedText(endedIn(consequences, left))}`,
        before: { router_name: name, note, networks: left.map(({ number }) => number) },
      })),
    ),
    hubs: notifyHubs(ctx, [
      ...targets.filter(({ routerType }) => routerType === ROUTER_TYPE.hardware).map(toRemoval),
      ...refreshTasks(
        'network',
        networks.map(({ hub }) => hub),
      ),
      ...refreshTasks('router', affectedHubs(consequences, ids, around.peers)),
    ]),
  })
}

/** Endings in these networks that the deletion causes, for the audit row. */
const endedIn = (consequences: readonly NetworkConsequence[], networks: readonly { readonly id: number }[]) =>
  consequences.flatMap(({ networkId, ended }) => (networks.some(({ id }) => id === networkId) ? [ended] : []))

const toRemoval = ({ hub }: Target): HubTask => ({ kind: 'router', hub, op: 'remove' })

/** Hubs of the routers that stay and whose documents name one that goes. */
function affectedHubs(
  consequences: readonly NetworkConsequence[],
  gone: readonly number[],
  peers: readonly Peer[],
): string[] {
  const affected = consequences.flatMap(({ networkId, ended }) => {
    const members = peers.filter((peer) => peer.networkId === networkId)
    const remaining = members.filter(({ routerId }) => !gone.includes(routerId))
    const moved = affectedRouters(members, remaining).filter(({ routerId }) => !gone.includes(routerId))
    return [...moved, ...affectedByEnd(remaining, ended)]
  })
  return [...new Set(affected.map(({ hub }) => hub))]
}
