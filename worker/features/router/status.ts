import type { Parsed } from '../../contract/endpoint.ts'
import { refuse, throwIf } from '../../contract/errors.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import { coversNetwork } from '../../contract/permissions.ts'
import type { routerApi } from '../../contract/router.ts'
import { auditRow } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { bumpRevisions, detectConflict, guardRouterNetworks, retryOnConflict } from '../../db/conflict.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { saveSettingsOfNetworks } from '../../db/network-settings.ts'
import { affectedByEnd, filterCenters } from '../../domain/network/affected.ts'
import { endedText } from '../../domain/network/members-change.ts'
import { stateOfStatus } from '../../domain/router/presence.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import { checkUse, consequencesOf, toSettingRows } from './consequences.ts'
import { guardRouterRate, selectRouterRow, updateRouterStatus, updateSoftwarePresence } from './queries-manage.ts'
import { requireRouterWithPeers } from './require.ts'

/** With `status` the member is disabled or enabled; without it a device reports everything now. */
export const updateStatus = (ctx: Ctx, input: Parsed<(typeof routerApi)['updateStatus']>): Promise<void> =>
  input.status === undefined
    ? requestReport(ctx, input.router_name)
    : setStatus(ctx, input.router_name, input.status, input.confirm === 1)

async function requestReport(ctx: Ctx, name: string): Promise<void> {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  const found = await batch(db, {
    rate: guardRouterRate(db, scope, 'status', name, now),
    routers: selectRouterRow(db, scope, name),
  })
  const router = found.routers[0] ?? refuse('ROUTER_NOT_FOUND')
  if (router.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY')
  if (!(await ctx.hubs.router(router.hub).requestReport())) refuse('ROUTER_OFFLINE')
}

/**
 * A disabled device is disconnected by its hub; centres no longer list a disabled software member. Which centres these are
 * must still be true when it is written: one that is added meanwhile would list the member as before.
 */
const setStatus = (ctx: Ctx, name: string, status: 0 | 1, isConfirmed: boolean): Promise<void> =>
  retryOnConflict(async () => {
    const { grants } = requireSession(ctx)
    const found = await requireRouterWithPeers(ctx, name)
    if (!found.networks.every(({ number }) => coversNetwork(grants, number))) refuse('ROUTER_SHARED')
    if (found.router.status === status) return
    const { router, networks, around } = found
    if (status === 0 && !isConfirmed) throwIf(checkUse({ ...router, networks }, around, 'disabled'))
    await detectConflict(writeStatus(ctx, found, status))
  })

type Found = Awaited<ReturnType<typeof requireRouterWithPeers>>

function writeStatus(ctx: Ctx, { router, networks, peers, around }: Found, status: 0 | 1) {
  const { db, now } = ctx
  const { id, accountId, name, lastSeenAt } = router
  const isHardware = router.routerType === ROUTER_TYPE.hardware
  const consequences = status === 1 ? [] : consequencesOf([{ ...router, networks }], around, 'disabled')
  const moved = consequences.flatMap(({ networkId, ended }) =>
    affectedByEnd(
      peers.filter((peer) => peer.networkId === networkId),
      ended,
    ),
  )
  const documents = [...(isHardware ? [router] : filterCenters(peers)), ...moved].map(({ hub }) => hub)
  const networkIds = networks.map((network) => network.id)
  return batch(db, {
    rate: guardRouterRate(db, requireSession(ctx), 'status', name, now),
    revisions: guardRouterNetworks(db, accountId, [id], networks, networks.length),
    bumped: bumpRevisions(db, accountId, networkIds),
    ended: saveSettingsOfNetworks(db, accountId, toSettingRows(consequences), now),
    status: updateRouterStatus(db, accountId, id, status),
    ...(!isHardware && {
      presence: updateSoftwarePresence(db, accountId, id, stateOfStatus(status, { lastSeenAt, now })),
    }),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'update_status',
      target: name,
      message: `${status === 1 ? '启用' : '停用'}成员“${name}”${endedText(consequences.map(({ ended }) => ended))}`,
      before: { status: router.status },
      after: { status },
    }),
    hubs: notifyHubs(ctx, [
      ...refreshTasks('router', [...new Set(documents)]),
      ...refreshTasks(
        'network',
        networks.map(({ hub }) => hub),
      ),
    ]),
  })
}
