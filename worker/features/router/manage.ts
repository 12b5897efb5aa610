import { refuse } from '../../contract/errors.ts'
import type { Parsed } from '../../contract/endpoint.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import type { routerApi } from '../../contract/router.ts'
import { type Ctx, sessionOf } from '../../http/context.ts'
import { tellHubs } from '../../http/hub-notices.ts'
import { auditRow, said } from '../audit/queries.ts'
import { recomputeNetworkStatus } from '../network/queries.ts'
import { markMet } from '../network/queries-named.ts'
import {
  deleteRouterRows,
  guardAllCovered,
  guardInUse,
  guardIsHardware,
  guardNotOnlyCenter,
  guardRouter,
  membershipCount,
  networkIdsOf,
  networkNumbers,
  routerIdNamed,
  setNote,
  storedName,
  storedNote,
  touchNetworksOf,
} from './queries-manage.ts'
import { hardwareId } from './read.ts'

/** Moves no document: a note is for people. */
export async function editNote(ctx: Ctx, input: Parsed<typeof routerApi.note>): Promise<void> {
  const { db } = ctx
  const { router_name: typed, note } = input
  const name = storedName(typed)
  const [, , , networks] = await db.batch([
    guardRouter(db, sessionOf(ctx), typed),
    auditRow(ctx, {
      module: 'router',
      action: 'note',
      target: name,
      message: said`修改成员“${name}”的备注`,
      before: { note: storedNote(typed) },
      after: { note },
    }),
    setNote(db, typed, note),
    networkIdsOf(db, typed),
  ])
  tellHubs(ctx, { networkIds: networks.map(({ id }) => id) })
}

/**
 * The member leaves all its networks; refused where it is the only centre of one. Its device row stays: whoever has the
 * code on the box can claim it again.
 */
export async function deleteRouter(ctx: Ctx, input: Parsed<typeof routerApi.delete>): Promise<void> {
  const { db } = ctx
  const scope = sessionOf(ctx)
  const typed = input.router_name
  const name = storedName(typed)
  const [, , , , stale, networks, , , gone] = await db.batch([
    guardRouter(db, scope, typed),
    guardAllCovered(db, scope, typed),
    guardNotOnlyCenter(db, typed),
    auditRow(ctx, {
      module: 'router',
      action: 'delete',
      target: name,
      message: said`删除成员“${name}”，退出${membershipCount(typed)}个组网`,
      before: { router_name: name, note: storedNote(typed), networks: networkNumbers(typed) },
    }),
    markMet(db, typed),
    touchNetworksOf(db, typed),
    ...deleteRouterRows(db, typed),
    recomputeNetworkStatus(db, scope.accountId, ctx.now),
  ])
  const goneIds = gone.map(({ id }) => id)
  tellHubs(ctx, {
    goneRouterIds: gone.filter((router) => router.routerType === ROUTER_TYPE.hardware).map(({ id }) => id),
    networkIds: networks.map(({ id }) => id),
    routerIds: stale.map(([id]) => id).filter((id) => !goneIds.includes(id)),
  })
}

/** Pushes the member's newest configuration again; to a device that is offline when it comes back. */
export async function resendRouter(ctx: Ctx, input: Parsed<typeof routerApi.resend>): Promise<void> {
  const { db, hubs } = ctx
  const typed = input.router_name
  const name = storedName(typed)
  const [, , , , routers] = await db.batch([
    guardRouter(db, sessionOf(ctx), typed),
    guardIsHardware(db, typed),
    guardInUse(db, typed),
    auditRow(ctx, {
      module: 'router',
      action: 'resend',
      target: name,
      message: said`重新下发成员“${name}”的配置`,
    }),
    routerIdNamed(db, typed),
  ])
  for (const { id } of routers) ctx.waitUntil(hubs.router(id).resend())
}

export async function updateStatus(ctx: Ctx, input: Parsed<typeof routerApi.updateStatus>): Promise<void> {
  const id = await hardwareId(ctx, input.router_name)
  if (!(await ctx.hubs.router(id).requestReport())) refuse('ROUTER_OFFLINE')
}
