import type { Output, Parsed } from '../../contract/endpoint.ts'
import { throwIf, toMessage } from '../../contract/errors.ts'
import { type Violation, violation } from '../../contract/result.ts'
import { toWireBoolean } from '../../contract/fields.ts'
import type { HubTask } from '../../contract/hubs.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import { coversNetwork } from '../../contract/permissions.ts'
import type { routerApi } from '../../contract/router.ts'
import { auditRows } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { bumpRevisions, detectConflict, guardRouterNetworks, retryOnConflict } from '../../db/conflict.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { deleteSettingsOfRouters, saveSettingsOfNetworks, selectSettingsAround } from '../../db/network-settings.ts'
import { selectLinksOfRouters } from '../../db/point-links.ts'
import { updateNetworkStatus } from '../../db/network-status.ts'
import { affectedByEnd, affectedRouters } from '../../domain/network/affected.ts'
import { planDeletions } from '../../domain/router/writes.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import { type NetworkConsequence, checkUse, consequencesOf, toSettingRows } from './consequences.ts'
import { selectNetworksByRouter } from './queries.ts'
import { deleteMemberships, deleteRouterRows, deleteStates, selectPeers, selectRouterRow } from './queries-manage.ts'

type Api = typeof routerApi

/**
 * The member leaves all its networks; refused where it is the only centre of one, or where a setting in use needs it and
 * nobody has confirmed. Its device row remains: whoever has the code on the box can claim it again.
 */
export async function deleteRouter(ctx: Ctx, { router_name, confirm }: Parsed<Api['delete']>): Promise<void> {
  await deleteRouters(ctx, 'delete', [router_name], confirm === 1)
}

/** Deletes those that may go. Refused, with the first one's reason, where none may. */
export async function batchDelete(ctx: Ctx, input: Parsed<Api['batchDelete']>): Promise<Output<Api['batchDelete']>> {
  const names = [...new Set(input.router_name)]
  const problems = await deleteRouters(ctx, 'batch_delete', names, input.confirm === 1)
  const result = names.map((router_name) => {
    const problem = problems.get(router_name)
    return { router_name, deleted: toWireBoolean(!problem), msg: problem ? toMessage(problem) : '' }
  })
  return { deleted: names.length - problems.size, result }
}

/** Answers why the others stay, by name. */
const deleteRouters = (
  ctx: Ctx,
  action: 'delete' | 'batch_delete',
  names: readonly string[],
  isConfirmed: boolean,
): Promise<ReadonlyMap<string, Violation>> =>
  retryOnConflict(async () => {
    const { targets, ...around } = await readTargets(ctx, names)
    const { accepted, refused } = planDeletions(targets, (target) =>
      isConfirmed ? null : checkUse(target, around, 'deleted'),
    )
    const missing = names.filter((name) => !targets.some((target) => target.name === name))
    const problems = new Map<string, Violation>([
      ...refused.map(({ target, problem }) => [target.name, problem] as const),
      ...missing.map((name) => [name, violation('ROUTER_NOT_FOUND')] as const),
    ])
    if (accepted.length === 0) throwIf(problems.values().next().value ?? null)
    else await detectConflict(deleteTargets(ctx, action, accepted, around))
    return problems
  })

type Read = Awaited<ReturnType<typeof readTargets>>
type Target = Read['targets'][number]
type Peer = Awaited<ReturnType<typeof selectPeers>>[number]

async function readTargets(ctx: Ctx, names: readonly string[]) {
  const scope = requireSession(ctx)
  const [routers, memberships, peers, settings, pointLinks] = await ctx.db.batch([
    selectRouterRow(ctx.db, scope, ...names),
    selectNetworksByRouter(ctx.db, scope, ...names),
    selectPeers(ctx.db, scope, ...names),
    selectSettingsAround(ctx.db, scope.accountId, names),
    selectLinksOfRouters(ctx.db, scope.accountId, names),
  ])
  const inOrder = routers.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
  const targets = inOrder.map((router) => {
    const networks = memberships.filter(({ routerId }) => routerId === router.id)
    return { ...router, networks, isCovered: networks.every(({ number }) => coversNetwork(scope.grants, number)) }
  })
  return { targets, peers, settings, pointLinks }
}

function deleteTargets(ctx: Ctx, action: string, targets: readonly Target[], around: Omit<Read, 'targets'>) {
  const { db } = ctx
  const { accountId } = requireSession(ctx)
  const ids = targets.map(({ id }) => id)
  const memberships = targets.flatMap((target) => target.networks)
  const networks = [...new Map(memberships.map((network) => [network.id, network])).values()]
  const networkIds = networks.map(({ id }) => id)
  const consequences = consequencesOf(targets, around, 'deleted')
  return batch(db, {
    revisions: guardRouterNetworks(db, accountId, ids, networks, memberships.length),
    bumped: bumpRevisions(db, accountId, networkIds),
    ended: saveSettingsOfNetworks(db, accountId, toSettingRows(consequences), ctx.now),
    ...deleteSettingsOfRouters(db, accountId, ids),
    memberships: deleteMemberships(db, accountId, ids),
    states: deleteStates(db, accountId, ids),
    routers: deleteRouterRows(db, accountId, ids),
    status: updateNetworkStatus(db, accountId, ctx.now),
    audit: auditRows(
      ctx,
      targets.map(({ name, note, networks: left }) => ({
        module: 'router',
        action,
        target: name,
        message: `删除成员“${name}”，退出${left.length}个组网`,
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
