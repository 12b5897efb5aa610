import type { Parsed } from '../../contract/endpoint.ts'
import { throwIf } from '../../contract/errors.ts'
import type { HubTask } from '../../contract/hubs.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import { coversNetwork } from '../../contract/permissions.ts'
import type { routerApi } from '../../contract/router.ts'
import { auditRow } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { bumpRevisions, detectConflict, guardRouterNetworks, retryOnConflict } from '../../db/conflict.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { updateNetworkStatus } from '../../db/network-status.ts'
import { affectedRouters } from '../../domain/network/affected.ts'
import { checkDeletion, checkResend } from '../../domain/router/writes.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import { deleteMemberships, deleteRouterRow, deleteState, guardRouterRate, updateNote } from './queries-manage.ts'
import { requireRouterWithNetworks, requireRouterWithPeers } from './require.ts'

type Api = typeof routerApi

/** Changes no document: a note is only displayed. */
export async function editNote(ctx: Ctx, { router_name, note }: Parsed<Api['note']>): Promise<void> {
  const { db } = ctx
  const { router, networks } = await requireRouterWithNetworks(ctx, router_name)
  await batch(db, {
    note: updateNote(db, router.accountId, router.id, note),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'note',
      target: router.name,
      message: `修改成员“${router.name}”的备注`,
      before: { note: router.note },
      after: { note },
    }),
    hubs: notifyHubs(
      ctx,
      refreshTasks(
        'network',
        networks.map(({ hub }) => hub),
      ),
    ),
  })
}

/**
 * The member leaves all its networks; refused where it is the only centre of one. Its device row remains: whoever has the
 * code on the box can claim it again.
 */
export const deleteRouter = (ctx: Ctx, input: Parsed<Api['delete']>): Promise<void> =>
  retryOnConflict(async () => {
    const { db } = ctx
    const { grants } = requireSession(ctx)
    const { router, networks, peers } = await requireRouterWithPeers(ctx, input.router_name)
    const { id, accountId, name, note } = router
    const covered = networks.every(({ number }) => coversNetwork(grants, number))
    throwIf(checkDeletion(networks, covered))
    const affected = networks.flatMap((network) => {
      const members = peers.filter((m) => m.networkId === network.id)
      return affectedRouters(
        members,
        members.filter((m) => m.routerId !== id),
      ).filter((m) => m.routerId !== id)
    })
    const removal: HubTask = { kind: 'router', hub: router.hub, op: 'remove' }
    const networkIds = networks.map((network) => network.id)
    const write = batch(db, {
      revisions: guardRouterNetworks(db, accountId, id, networks),
      bumped: bumpRevisions(db, accountId, networkIds),
      memberships: deleteMemberships(db, accountId, id),
      state: deleteState(db, accountId, id),
      router: deleteRouterRow(db, accountId, id),
      status: updateNetworkStatus(db, accountId, ctx.now),
      audit: auditRow(ctx, {
        module: 'router',
        action: 'delete',
        target: name,
        message: `删除成员“${name}”，退出${networks.length}个组网`,
        before: { router_name: name, note, networks: networks.map(({ number }) => number) },
      }),
      hubs: notifyHubs(ctx, [
        ...(router.routerType === ROUTER_TYPE.hardware ? [removal] : []),
        ...refreshTasks(
          'network',
          networks.map(({ hub }) => hub),
        ),
        ...refreshTasks('router', [...new Set(affected.map(({ hub }) => hub))]),
      ]),
    })
    await detectConflict(write)
  })

/** Pushes the member's newest configuration again; to a device that is offline when it comes back. */
export async function resendRouter(ctx: Ctx, input: Parsed<Api['resend']>): Promise<void> {
  const { router, networks } = await requireRouterWithNetworks(ctx, input.router_name)
  const { name, hub, routerType } = router
  throwIf(checkResend(routerType, networks))
  await batch(ctx.db, {
    rate: guardRouterRate(ctx.db, requireSession(ctx), 'resend', name, ctx.now),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'resend',
      target: name,
      message: `重新下发成员“${name}”的配置`,
    }),
    hubs: notifyHubs(ctx, [{ kind: 'router', hub, op: 'resend' }]),
  })
}
