import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import { parseChosen } from '#domain/router/endpoints.ts'
import { refreshDialling } from '#features/network/sql/peers.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { guardEndpointsRevision, selectEndpointsRow } from './sql/endpoints.ts'
import { selectNetworksByRouter, updateRouter } from './sql/routers.ts'

/* Addresses at which other members dial a router (接入地址), as its account sets them. */

/** Replaces the addresses of a router; the documents of those that dial it follow. */
export async function editEndpoints(ctx: Ctx, input: Parsed<(typeof routerApi)['endpoints']>): Promise<void> {
  const { db } = ctx
  const scope = requireSession(ctx)
  const { routers, networks } = await batch(db, {
    routers: selectEndpointsRow(db, scope, input.router_name),
    networks: selectNetworksByRouter(db, scope, input.router_name),
  })
  const router = routers[0] ?? refuse('ROUTER_NOT_FOUND')
  if (router.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY')
  if (!networks.every(({ number }) => coversNetwork(scope.grants, number))) refuse('ROUTER_SHARED')
  throwIf(checkRevision(input.revision, router.revision))
  const [before, after] = [parseChosen(router.endpoints), input.endpoints.map(({ host }) => host)]
  if (isSameJson(before, after)) return
  await batch(db, {
    unchanged: guardEndpointsRevision(db, router),
    endpoints: updateRouter(db, router, {
      endpoints: JSON.stringify(after),
      endpointsRevision: router.revision + 1,
    }),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'endpoints',
      target: router.name,
      message: `${after.length === 0 ? '清空' : '修改'}成员“${labelOf({ routerName: router.name, note: router.note })}”的接入地址，共${after.length}个`,
      before: { endpoints: before },
      after: { endpoints: after },
    }),
    peers: refreshDialling(ctx, router.id),
    hubs: notifyHubs(ctx, refreshTasks('network', networks)),
  })
}
