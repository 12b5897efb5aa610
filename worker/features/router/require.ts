import { refuse } from '#contract/kernel/errors.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { batch } from '#db/batch.ts'
import { requireRow } from '#db/require-row.ts'
import { selectNetworksByRouter, selectRouterRows } from './sql/routers.ts'
import { type Ctx, requireSession } from '#http/context.ts'

/* Members required by name in the caller's scope: a device, or any member with its networks. */

/** Hardware router. Refuses software members, which keep no socket. */
export async function requireHardware(ctx: Ctx, name: string) {
  const router = await requireRow(selectRouterRows(ctx.db, requireSession(ctx), name), 'ROUTER_NOT_FOUND')
  return router.routerType === ROUTER_TYPE.hardware ? router : refuse('HARDWARE_ONLY')
}

/** Router with its networks, newest first, also those outside the caller's scope. */
export async function requireRouterWithNetworks(ctx: Ctx, name: string) {
  const scope = requireSession(ctx)
  const { routers, networks } = await batch(ctx.db, {
    routers: selectRouterRows(ctx.db, scope, name),
    networks: selectNetworksByRouter(ctx.db, scope, name),
  })
  return { router: routers[0] ?? refuse('ROUTER_NOT_FOUND'), networks }
}
