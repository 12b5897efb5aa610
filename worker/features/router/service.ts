import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { type AuditActor, auditRow } from '#db/audit.ts'
import { type Statements, batch } from '#db/batch.ts'
import { endClientSessions } from '#features/client/sql/sessions.ts'
import { idList } from '#db/columns.ts'
import { bumpRevisions, detectConflict, guardRouterNetworks, retryOnConflict } from '#db/conflict.ts'
import { deliverNotices, insertPresenceNotice } from './sql/dials.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { clearRunDisabled } from '#features/ldap/sql/members.ts'
import {
  saveSettingsOfNetworks,
  selectSettingsOfRouters,
  selectLinksOfRouters,
} from '#features/network/sql/settings.ts'
import { refreshPeers } from '#features/network/sql/peers.ts'
import { insertVersions } from '#features/network/sql/versions.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import {
  selectNetworksByRouter,
  selectMembersOfNetworksWith,
  selectRouterRows,
  updateRouter,
  updateSoftwarePresence,
} from './sql/routers.ts'
import { affectedByEnd, filterCenters } from '#domain/network/members/affected.ts'
import { endedText, checkUse, consequencesOf, toSettingRows, toVersions } from '#domain/network/members/change.ts'
import { stateOfStatus } from '#domain/router/presence.ts'
import type { Ctx } from '#http/context.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Disabling and enabling of a member, for its account and for the operator. */

interface StatusChange {
  readonly routerName: string
  readonly status: 0 | 1
  /** True: settings that need the member end with it. */
  readonly isConfirmed: boolean
  /** Actor for the audit; absent for the signed-in caller. */
  readonly actor?: AuditActor
  readonly statements?: Statements
}

/**
 * Sets the status. A disabled device is disconnected by its hub; documents of centres leave out a disabled software member,
 * and those of all peers a disabled router that runs tunnels.
 * The write checks that the networks have not changed: a centre added meanwhile would still list the member.
 */
export const setMemberStatus = (ctx: Ctx, scope: Scope, change: StatusChange): Promise<void> =>
  retryOnConflict(async () => {
    const { status, isConfirmed } = change
    const found = await requireWithPeers(ctx, scope, change.routerName)
    if (!found.networks.every(({ number }) => coversNetwork(scope.grants, number))) refuse('ROUTER_SHARED')
    if (found.router.status === status) return
    const { router, networks, stored } = found
    if (status === 0 && !isConfirmed) throwIf(checkUse({ ...router, networks }, stored, 'disabled'))
    await detectConflict(writeStatus(ctx, found, change))
  })

type LoadedRouter = Awaited<ReturnType<typeof requireWithPeers>>

async function requireWithPeers({ db }: Ctx, scope: Scope, name: string) {
  const { routers, networks, peers, settings, pointLinks } = await batch(db, {
    routers: selectRouterRows(db, scope, name),
    networks: selectNetworksByRouter(db, scope, name),
    peers: selectMembersOfNetworksWith(db, scope, name),
    settings: selectSettingsOfRouters(db, scope.accountId, [name]),
    pointLinks: selectLinksOfRouters(db, scope.accountId, [name]),
  })
  return { router: routers[0] ?? refuse('ROUTER_NOT_FOUND'), networks, peers, stored: { settings, pointLinks } }
}

function writeStatus(
  ctx: Ctx,
  { router, networks, peers, stored }: LoadedRouter,
  { status, actor, statements }: StatusChange,
) {
  const { db, now } = ctx
  const { id, accountId, name, lastSeenAt } = router
  const isHardware = router.routerType === ROUTER_TYPE.hardware
  const consequences = status === 1 ? [] : consequencesOf([{ ...router, networks }], stored, 'disabled')
  const moved = consequences.flatMap(({ networkId, ended }) =>
    affectedByEnd(
      peers.filter((peer) => peer.networkId === networkId),
      ended,
    ),
  )
  const documents = [...(isHardware ? [router] : filterCenters(peers)), ...moved].map(({ hub }) => hub)
  const networkIds = networks.map((network) => network.id)
  const versions = toVersions(networks, consequences, peers, stored, new Set())
  return batch(db, {
    ...statements,
    revisions: guardRouterNetworks(db, accountId, [id], networks, networks.length),
    bumped: bumpRevisions(db, accountId, networkIds),
    ended: saveSettingsOfNetworks(db, accountId, toSettingRows(consequences), now),
    ...insertVersions(ctx, accountId, versions, actor),
    status: updateRouter(db, router, { status }),
    byPerson: !isHardware && clearRunDisabled(db, accountId, id),
    sessions: status === 0 && endClientSessions(db, accountId, [id], now),
    ...(!isHardware && {
      presence: updateSoftwarePresence(db, accountId, id, stateOfStatus(status, { lastSeenAt, now })),
      notice: deliverNotices(ctx, insertPresenceNotice(db, id, now)),
    }),
    audit: auditRow(
      ctx,
      {
        module: 'router',
        action: 'update_status',
        target: name,
        message: `${status === 1 ? '启用' : '停用'}成员“${name}”${endedText(consequences.map(({ ended }) => ended))}`,
        before: { status: router.status },
        after: { status },
      },
      actor,
    ),
    carriers: !isHardware && refreshCarriers(ctx, idList(networkIds)),
    peers: router.vpn === 1 && refreshPeers(ctx, id),
    hubs: notifyHubs(ctx, [...refreshTasks('router', [...new Set(documents)]), ...refreshTasks('network', networks)]),
  })
}
