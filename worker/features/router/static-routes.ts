import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { StoredStaticRoute } from '#contract/network/settings.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { bumpRevisions, detectConflict, retryOnConflict } from '#db/conflict.ts'
import { idList } from '#db/columns.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import { selectNetworkSegments, selectSettingsOfRouters, selectLinksOfRouters } from '#features/network/sql/settings.ts'
import { selectNetworksByRouter, selectMembersOfNetworksWith, updateRouter } from './sql/routers.ts'
import { affectedBySegments } from '#domain/network/members/affected.ts'
import { checkDevices } from '#domain/network/compile/device-settings.ts'
import { toNetworkOwners, parseGateway, withStaticRoutes } from '#domain/network/addresses/member-segments.ts'
import { checkRevision, readNetworkSettings } from '#domain/network/history/stored-settings.ts'
import { parseInterfaces, parseSegments, reportedSegments } from '#domain/router/interfaces.ts'
import {
  alignStaticRoutes,
  checkStaticRoutes,
  parseStaticRoutes,
  type NeighborhoodMember,
  checkRoutedSegments,
} from '#domain/router/static-routes.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { toRevisions } from '#features/network/sql/addresses.ts'
import { filterLacking } from '#features/network/service.ts'
import {
  guardNeighborhood,
  guardRoutesRevision,
  selectDynamicIn,
  selectNeighborhoodMembers,
  selectRoutesRow,
} from './sql/static-routes.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { labelOf } from '#domain/network/members/member-name.ts'

/* Static routes (静态路由) of a device: checked against the segments of its networks, and saved. */

type Call = (typeof routerApi)['staticRoutes']

/** Replaces the static routes. They belong to the router, so they are checked in all its networks. */
export async function editStaticRoutes(ctx: Ctx, input: Parsed<Call>): Promise<Output<Call>> {
  const { routes, corrected } = alignStaticRoutes(input.routes)
  await retryOnConflict(async () => {
    const found = await readNeighborhood(ctx, input.router_name)
    const { router, before, neighborhood, heldIn } = found
    throwIf(checkRevision(input.revision, router.revision))
    const interfaces = parseInterfaces(router.interfaces)
    throwIf(checkStaticRoutes(routes, before, interfaces))
    if (isSameJson(routes, before)) return
    const { lans } = reportedSegments(interfaces)
    const segments = withStaticRoutes(lans, JSON.stringify(routes))
    throwIf(checkRoutedSegments(router.name, segments, neighborhood, heldIn))
    if (before.length === 0) await requireCapable(ctx, found)
    await detectConflict(writeRoutes(ctx, found, routes))
  })
  return corrected.map(({ row, from, to }) => ({ row, old: from, new: to }))
}

type LoadedRouter = Awaited<ReturnType<typeof readNeighborhood>>

async function readNeighborhood(ctx: Ctx, name: string) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const { accountId, grants } = scope
  const rows = await batch(db, {
    routers: selectRoutesRow(db, scope, name),
    networks: selectNetworksByRouter(db, scope, name),
    members: selectNeighborhoodMembers(db, scope, name),
    held: selectNetworkSegments(db, accountId),
    peers: selectMembersOfNetworksWith(db, scope, name),
    links: selectLinksOfRouters(db, accountId, [name]),
    settings: selectSettingsOfRouters(db, accountId, [name]),
    dynamic: selectDynamicIn(db, scope, name),
    accounts: selectAccountHub(db, accountId),
  })
  const router = rows.routers[0] ?? refuse('ROUTER_NOT_FOUND')
  if (router.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY')
  if (!rows.networks.every(({ number }) => coversNetwork(grants, number))) refuse('ROUTER_SHARED')
  const neighborhood = rows.members.map((row) => toNeighborhoodMember(row, (number) => !coversNetwork(grants, number)))
  const names = new Map(neighborhood.map(({ networkNumber, networkName }) => [networkNumber, networkName]))
  const heldIn = (ownNumber: string) =>
    rows.held.flatMap(([number, kind, value]) => {
      const of = { number, name: names.get(number) ?? '', isOwn: number === ownNumber }
      return names.has(number)
        ? toNetworkOwners({ ...of, isHidden: !of.isOwn && !coversNetwork(grants, number) }, [{ kind, value }])
        : []
    })
  return {
    ...rows,
    router,
    neighborhood,
    heldIn,
    before: parseStaticRoutes(router.staticRoutes),
    accountHub: rows.accounts[0]?.hub ?? refuse('SESSION_REVOKED'),
    known: toRevisions(rows.members),
  }
}

function toNeighborhoodMember(
  [, , number, networkName, routerName, note, staticRoutes, segments, segmentIndex, gateway]: Awaited<
    ReturnType<typeof selectNeighborhoodMembers>
  >[number],
  isHidden: (number: string) => boolean,
): NeighborhoodMember {
  const { lans, wans } = parseSegments(segments)
  return {
    networkNumber: number,
    networkName,
    routerName,
    note,
    lans: withStaticRoutes(lans, staticRoutes),
    wans,
    segmentIndex,
    gateway: parseGateway(gateway),
    isHidden: isHidden(number),
  }
}

/** Refuses a device whose software lacks static routes: it would refuse its whole document. */
async function requireCapable(ctx: Ctx, { router, accountHub }: LoadedRouter): Promise<void> {
  const needs = ['lans:via'] as const
  throwIf(checkDevices(needs, await filterLacking(ctx, accountHub, [{ ...router, routerName: router.name }], needs)))
}

function writeRoutes(ctx: Ctx, found: LoadedRouter, routes: readonly StoredStaticRoute[]) {
  const { db } = ctx
  const { router, networks, before, known } = found
  const { accountId, name, revision } = router
  const networkIds = networks.map(({ id }) => id)
  return batch(db, {
    neighborhood: guardNeighborhood(db, accountId, name, known),
    revision: guardRoutesRevision(db, router),
    bumped: bumpRevisions(db, accountId, networkIds),
    routes: updateRouter(db, router, { staticRoutes: JSON.stringify(routes), staticRoutesRevision: revision + 1 }),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'static_routes',
      target: name,
      message: `${routes.length === 0 ? '清空' : '修改'}成员“${labelOf({ routerName: name, note: router.note })}”的静态路由，共${routes.length}条`,
      before: { routes: before },
      after: { routes },
    }),
    carriers: refreshCarriers(ctx, idList(networkIds)),
    hubs: notifyHubs(ctx, [...refreshTasks('router', affectedHubs(found)), ...refreshTasks('network', networks)]),
  })
}

/** Hubs of routers whose documents contain these segments. */
function affectedHubs({ router, networks, peers, settings, links, dynamic }: LoadedRouter): readonly string[] {
  const affected = networks.flatMap(({ id }) => {
    const isHere = ({ networkId }: { readonly networkId: number }) => networkId === id
    const { center_link: centerLink } = readNetworkSettings(settings.filter(isHere)).values
    const isDynamic = dynamic.some(([networkId]) => networkId === id)
    const pointLinks = links.filter(isHere)
    return affectedBySegments(peers.filter(isHere), router.id, { centerLink, pointLinks }, isDynamic)
  })
  return [...new Set(affected.map(({ hub }) => hub))]
}
