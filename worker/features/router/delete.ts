import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { throwIf, toMessage } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { HubTask } from '#contract/kernel/hubs.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import { detectConflict, retryOnConflict, bumpRevisions, guardRouterNetworks } from '#db/conflict.ts'
import { planDeletions } from '#domain/router/actions.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { withSuffix } from './sql/add.ts'
import { endDialsOfDeleted } from './sql/dials.ts'
import {
  deleteSaasDevices,
  deleteMemberships,
  deleteRouterRows,
  deleteStates,
  guardNoNodes,
  guardNoTunnels,
} from './sql/manage.ts'
import { selectNetworksByRouter, selectMembersOfNetworksWith, selectRouterRows } from './sql/routers.ts'
import type { RouterNames } from './sql/columns.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { auditRows } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { idList } from '#db/columns.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { affectedByEnd, affectedRouters } from '#domain/network/members/affected.ts'
import {
  checkUse,
  endedText,
  type NetworkConsequence,
  consequencesOf,
  toSettingRows,
  toVersions,
} from '#domain/network/members/change.ts'
import { deleteAuthRows } from '#features/auth-source/sql.ts'
import { insertRemovals } from '#features/device/sql.ts'
import { deleteClientSessions } from '#features/client/sql/sessions.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import {
  selectSettingsOfRouters,
  selectLinksOfRouters,
  deleteSettingsOfRouters,
  saveSettingsOfNetworks,
} from '#features/network/sql/settings.ts'
import { revokeCertificates } from '#features/network/sql/revocations.ts'
import { updateNetworkStatus } from '#features/network/sql/status.ts'
import { insertVersions } from '#features/network/sql/versions.ts'

/* Deletion of members (routers and software), one, many, or those of a file: checked, and deleted in one batch. */

type Api = typeof routerApi

/**
 * Deletes one member, which leaves all its networks. Refuses if it is the only centre of one, or if a setting in use needs
 * it and nobody has confirmed. The device row stays, so that anyone with the code on the box can claim it again.
 */
export async function deleteRouter(ctx: Ctx, { router_name, confirm }: Parsed<Api['delete']>): Promise<void> {
  throwIf(firstOf(await deleteRouters(ctx, { action: 'delete', names: [router_name], isConfirmed: confirm === 1 })))
}

/** Deletes the members that may go. If none may, it refuses with the reason of the first one. */
export async function batchDelete(ctx: Ctx, input: Parsed<Api['batchDelete']>): Promise<Output<Api['batchDelete']>> {
  const names = [...new Set(input.router_name)]
  const problems = await deleteRouters(ctx, { action: 'batch_delete', names, isConfirmed: input.confirm === 1 })
  if (problems.size === names.length) throwIf(firstOf(problems))
  const result = names.map((router_name) => {
    const problem = problems.get(router_name)
    return { router_name, deleted: toWireBoolean(!problem), msg: problem ? toMessage(problem) : '' }
  })
  return { deleted: names.length - problems.size, result }
}

type Problems = ReadonlyMap<string, Violation>
const firstOf = (problems: Problems): Violation | null => problems.values().next().value ?? null

interface Deletion extends NamedMembers {
  readonly action: 'delete' | 'batch_delete' | 'batch_delete_file'
  /** True: settings that need a member end with it. */
  readonly isConfirmed: boolean
}

/** Deletes members; answers the reasons of those that stay, by name. */
export const deleteRouters = (ctx: Ctx, deletion: Deletion): Promise<Problems> =>
  retryOnConflict(async () => {
    const { targets, missing, repeated, ...context } = await readTargets(ctx, deletion)
    const foreign = targets.filter(({ routerType }) => deletion.isOfFile && routerType !== ROUTER_TYPE.software)
    const { accepted, refused } = planDeletions(
      targets.filter((target) => !foreign.includes(target)),
      (target) => checkKept(target) ?? (deletion.isConfirmed ? null : checkUse(target, context, 'deleted')),
    )
    if (accepted.length > 0) await detectConflict(deleteTargets(ctx, deletion.action, accepted, context))
    return new Map<string, Violation>([
      ...refused.map(({ target, problem }) => [target.typed, problem] as const),
      ...foreign.map(({ typed }) => [typed, violation('SOFTWARE_ONLY')] as const),
      ...repeated.map((name) => [name, violation('MEMBER_NAMED_TWICE')] as const),
      ...missing.map((name) => [name, violation('ROUTER_NOT_FOUND')] as const),
    ])
  })

/** Refuses routers that POP areas or the directory need, even if the deletion is confirmed. */
function checkKept({ name, isNode, source, isTunnel }: Target): Violation | null {
  if (isNode === 1) return violation('POP_NODE_KEPT', { name })
  if (source === 'ldap') return violation('LDAP_MANAGED')
  return isTunnel === 1 ? violation('LDAP_ROUTER_IN_USE', { name }) : null
}

interface NamedMembers {
  /** Names of the members, each once. */
  readonly names: readonly string[]
  /** True for software members of a file: a name without a suffix has the account's, and case does not matter. */
  readonly isOfFile?: boolean
}

type DeleteTargets = Awaited<ReturnType<typeof readTargets>>
type Target = DeleteTargets['targets'][number]
type Peer = Awaited<ReturnType<typeof selectMembersOfNetworksWith>>[number]

/** Members in the order of the names, each with its typed name. */
async function readTargets(ctx: Ctx, { names, isOfFile = false }: NamedMembers) {
  const scope = requireSession(ctx)
  const named: RouterNames = isOfFile ? [withSuffix(scope.accountId, names)] : names
  const { routers, memberships, peers, settings, pointLinks } = await batch(ctx.db, {
    routers: selectRouterRows(ctx.db, scope, ...named),
    memberships: selectNetworksByRouter(ctx.db, scope, ...named),
    peers: selectMembersOfNetworksWith(ctx.db, scope, ...named),
    settings: selectSettingsOfRouters(ctx.db, scope.accountId, named),
    pointLinks: selectLinksOfRouters(ctx.db, scope.accountId, named),
  })
  const byName = new Map(
    routers.flatMap((router) => listKeys(router.name, isOfFile).map((key) => [key, router] as const)),
  )
  const seen = new Set<number>()
  const repeated: string[] = [] // further spellings of an earlier name
  const found = names.map((typed) => ({ typed, router: byName.get(isOfFile ? typed.toLowerCase() : typed) }))
  const targets = found.flatMap(({ typed, router }) => {
    if (!router) return []
    if (seen.has(router.id)) {
      repeated.push(typed)
      return []
    }
    seen.add(router.id)
    const networks = memberships.filter(({ routerId }) => routerId === router.id)
    return [
      { ...router, typed, networks, isCovered: networks.every(({ number }) => coversNetwork(scope.grants, number)) },
    ]
  })
  const missing = found.filter(({ router }) => !router).map(({ typed }) => typed)
  return { targets, missing, repeated, peers, settings, pointLinks }
}

/** Spellings of a name in a file: with the account's suffix or without. */
const listKeys = (name: string, isOfFile: boolean): readonly string[] =>
  isOfFile ? [name.toLowerCase(), name.toLowerCase().replace(/@.*$/s, '')] : [name]

type DeletionContext = Omit<DeleteTargets, 'targets' | 'missing' | 'repeated'>

function deleteTargets(ctx: Ctx, action: string, targets: readonly Target[], context: DeletionContext) {
  const { db } = ctx
  const { accountId } = requireSession(ctx)
  const ids = targets.map(({ id }) => id)
  const memberships = targets.flatMap((target) => target.networks)
  const networks = [...new Map(memberships.map((network) => [network.id, network])).values()]
  const networkIds = networks.map(({ id }) => id)
  const consequences = consequencesOf(targets, context, 'deleted')
  const versions = toVersions(networks, consequences, context.peers, context, new Set(ids))
  return batch(db, {
    revisions: guardRouterNetworks(db, accountId, ids, networks, memberships.length),
    nodes: guardNoNodes(db, ids),
    tunnels: guardNoTunnels(db, ids),
    bumped: bumpRevisions(db, accountId, networkIds),
    ...revokeCertificates(
      ctx,
      accountId,
      targets.filter(isDevice).map(({ id }) => id),
    ),
    ended: saveSettingsOfNetworks(db, accountId, toSettingRows(consequences), ctx.now),
    ...insertVersions(ctx, accountId, versions),
    ...deleteSettingsOfRouters(db, accountId, ids),
    memberships: deleteMemberships(db, accountId, ids),
    ...endDialsOfDeleted(ctx, accountId, ids),
    states: deleteStates(db, accountId, ids),
    saas: deleteSaasDevices(db, accountId, ids),
    sessions: deleteClientSessions(db, accountId, ids),
    ...deleteAuthRows(db, accountId, ids),
    removed: insertRemovals(db, accountId, ids, ctx.now),
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
      ...targets.filter(isDevice).map(toRemoval),
      ...refreshTasks('network', networks),
      ...refreshTasks('router', affectedHubs(consequences, ids, context.peers)),
    ]),
  })
}

/** Settings that the deletion ends in these networks, for the audit row. */
const endedIn = (consequences: readonly NetworkConsequence[], networks: readonly { readonly id: number }[]) =>
  consequences.flatMap(({ networkId, ended }) => (networks.some(({ id }) => id === networkId) ? [ended] : []))

const isDevice = ({ routerType }: Target): boolean => routerType === ROUTER_TYPE.hardware

const toRemoval = ({ hub }: Target): HubTask => ({ kind: 'router', hub, op: 'remove' })

/** Hubs of remaining routers whose documents contain a deleted one. */
function affectedHubs(consequences: readonly NetworkConsequence[], gone: readonly number[], peers: readonly Peer[]) {
  const affected = consequences.flatMap(({ networkId, ended }) => {
    const members = peers.filter((peer) => peer.networkId === networkId)
    const remaining = members.filter(({ routerId }) => !gone.includes(routerId))
    const moved = affectedRouters(members, remaining).filter(({ routerId }) => !gone.includes(routerId))
    return [...moved, ...affectedByEnd(remaining, ended)]
  })
  return [...new Set(affected.map(({ hub }) => hub))]
}
