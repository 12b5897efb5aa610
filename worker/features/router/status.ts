import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { batch } from '#db/batch.ts'
import { guardRouterRate, selectRouterRows } from './sql/routers.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { setMemberStatus } from './service.ts'

/** With `status` the member is disabled or enabled; without it a device reports everything now. */
export const updateStatus = (ctx: Ctx, input: Parsed<(typeof routerApi)['updateStatus']>): Promise<void> =>
  input.status === undefined
    ? requestReport(ctx, input.router_name)
    : setStatus(ctx, { routerName: input.router_name, status: input.status, isConfirmed: input.confirm === 1 })

async function requestReport(ctx: Ctx, name: string): Promise<void> {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  const found = await batch(db, {
    rate: guardRouterRate(db, scope, 'status', name, now),
    routers: selectRouterRows(db, scope, name),
  })
  const router = found.routers[0] ?? refuse('ROUTER_NOT_FOUND')
  if (router.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY')
  if (!(await ctx.hubs.router(router.hub).requestReport())) refuse('ROUTER_OFFLINE')
}

function setStatus(ctx: Ctx, change: { routerName: string; status: 0 | 1; isConfirmed: boolean }): Promise<void> {
  const scope = requireSession(ctx)
  const rate = guardRouterRate(ctx.db, scope, 'status', change.routerName, ctx.now)
  return setMemberStatus(ctx, scope, { ...change, statements: { rate } })
}
