import type { BatchItem } from 'drizzle-orm/batch'
import type { Parsed } from '../../contract/endpoint.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import { coversNetwork } from '../../contract/permissions.ts'
import type { routerApi } from '../../contract/router.ts'
import { fail } from '../../http/app-error.ts'
import { type Ctx, sessionOf } from '../../http/context.ts'
import { auditRow } from '../audit/queries.ts'
import { tellHubs } from '../../http/hub-notices.ts'
import { recomputeNetworkStatus } from '../network/queries.ts'
import { markStale, touchNetwork } from '../network/queries-membership.ts'
import {
  deleteRouterRows,
  guardCenterLeft,
  guardOnlyIn,
  guardRouter,
  networksOf,
  routerByName,
  setNote,
} from './queries.ts'
import { hardwareId } from './read.ts'

async function loadRouter(ctx: Ctx, name: string) {
  const scope = sessionOf(ctx)
  const [[router], networks] = await ctx.db.batch([routerByName(ctx.db, scope, name), networksOf(ctx.db, scope, name)])
  if (!router) return fail('ROUTER_NOT_FOUND')
  return { router, networks }
}

/** Moves no document: a note is for people. */
export async function editNote(ctx: Ctx, input: Parsed<typeof routerApi.note>): Promise<void> {
  const { router, networks } = await loadRouter(ctx, input.router_name)
  await ctx.db.batch([
    guardRouter(ctx.db, sessionOf(ctx), router.id),
    setNote(ctx.db, router.id, input.note),
    auditRow(ctx, {
      module: 'router',
      action: 'note',
      target: router.name,
      message: `修改成员“${router.name}”的备注`,
      before: { note: router.note },
      after: { note: input.note },
    }),
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
  const { router, networks } = await loadRouter(ctx, input.router_name)
  if (networks.some(({ number }) => !coversNetwork(scope.grants, number))) fail('ROUTER_SHARED')
  const led = networks.filter(({ memberType }) => memberType === 'center')
  const only = led.find(({ centerCount }) => centerCount === 1)
  if (only) fail('ROUTER_IS_LAST_CENTER', { network: only.name })

  const networkIds = networks.map(({ id }) => id)
  const rest: BatchItem<'sqlite'>[] = [
    ...deleteRouterRows(db, router.id),
    ...led.map((network) => guardCenterLeft(db, network)),
    ...networks.map(({ number }) => touchNetwork(db, number)),
    recomputeNetworkStatus(db, scope.accountId, ctx.now),
    auditRow(ctx, {
      module: 'router',
      action: 'delete',
      target: router.name,
      message: `删除成员“${router.name}”，退出${networks.length}个组网`,
      before: { router_name: router.name, note: router.note, networks: networks.map(({ number }) => number) },
    }),
  ]
  const met = networks.map(({ number, memberType }) =>
    markStale(db, number, { routerIds: [], centers: memberType === 'point', points: memberType === 'center' }),
  )
  const results = await db.batch([
    guardRouter(db, scope, router.id),
    guardOnlyIn(db, router.id, networkIds),
    ...rest,
    ...met,
  ])
  const stale = results.slice(results.length - met.length) as [number][][]
  tellHubs(ctx, {
    goneRouterIds: router.routerType === ROUTER_TYPE.hardware ? [router.id] : [],
    networkIds,
    routerIds: [...new Set(stale.flat().map(([id]) => id))],
  })
}

export async function updateStatus(ctx: Ctx, input: Parsed<typeof routerApi.updateStatus>): Promise<void> {
  const id = await hardwareId(ctx, input.router_name)
  if (!(await ctx.hubs.router(id).requestReport())) fail('ROUTER_OFFLINE')
}
