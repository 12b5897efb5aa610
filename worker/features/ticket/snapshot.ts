import { and, eq, sql } from 'drizzle-orm'
import { refuse } from '../../contract/errors.ts'
import { HEALTH } from '../../contract/hub-limits.ts'
import type { HubName } from '../../contract/hubs.ts'
import { coversNetwork } from '../../contract/permissions.ts'
import type { Session } from '../../contract/session.ts'
import type { Snapshot, SnapshotTarget } from '../../contract/ticket-snapshot.ts'
import type { Results } from '../../db/batch.ts'
import type { Db } from '../../db/client.ts'
import { as } from '../../db/columns.ts'
import { within } from '../../db/map-limit.ts'
import { stateColumns } from '../../db/router-state.ts'
import { isRouterNamed, selectNetworksByRouter } from '../../db/routers.ts'
import { devices, routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { networkScope } from '../../db/scope.ts'
import { toNetworkSnapshot, toRouterSnapshot } from '../../domain/ticket/snapshot.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import { readTransitions } from '../../http/health.ts'
import { faultText, log } from '../../http/log.ts'

/** Statements of what a snapshot says, in the caller's scope; none without a target. */
export function selectSnapshotRows(db: Db, session: Session, target: SnapshotTarget | null) {
  return {
    router: target?.kind === 'router' && selectRouter(db, session, target.router_name),
    routerNetworks: target?.kind === 'router' && selectNetworksByRouter(db, session, target.router_name),
    network: target?.kind === 'network' && selectNetwork(db, session, target.network_number),
    members: target?.kind === 'network' && selectMembers(db, session, target.network_number),
  }
}

const selectRouter = (db: Db, session: Session, name: string) =>
  db
    .select({
      name: routers.name,
      hub: as(routers.hub, 'router_hub'),
      note: routers.note,
      model: sql<string>`coalesce(${devices.model}, '')`.as('model'),
      version: sql<string>`coalesce(${routerStates.version}, '')`.as('version'),
      state: stateColumns,
    })
    .from(routers)
    .leftJoin(devices, eq(devices.id, routers.deviceId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(isRouterNamed(db, session, name))

const isNetwork = (session: Session, number: string) => and(networkScope(session), eq(networks.number, number))

const selectNetwork = (db: Db, session: Session, number: string) =>
  db
    .select({
      number: networks.number,
      name: networks.name,
      hub: networks.hub,
      revision: networks.revision,
      status: networks.status,
    })
    .from(networks)
    .where(isNetwork(session, number))

const selectMembers = (db: Db, session: Session, number: string) =>
  db
    .select({ name: as(routers.name, 'router_name'), note: routers.note, state: stateColumns })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(isNetwork(session, number))
    .orderBy(networkMembers.id)

type SnapshotRows = Results<ReturnType<typeof selectSnapshotRows>>

/** Asks the hubs for what no row holds. One that does not answer leaves a gap, and the ticket is written all the same. */
export async function takeSnapshot(
  ctx: Ctx,
  accountHub: HubName,
  target: SnapshotTarget | null,
  rows: SnapshotRows,
): Promise<Snapshot | null> {
  if (target === null) return null
  return target.kind === 'router' ? takeOfRouter(ctx, accountHub, rows) : takeOfNetwork(ctx, rows)
}

async function takeOfRouter(ctx: Ctx, accountHub: HubName, { router, routerNetworks = [] }: SnapshotRows) {
  const [row] = router ?? []
  if (!row) return refuse('ROUTER_NOT_FOUND')
  const { grants } = requireSession(ctx)
  const seen = routerNetworks.filter(({ number }) => coversNetwork(grants, number))
  const [transitions, ...answers] = await Promise.all([
    readTransitions(ctx, accountHub, row.hub),
    ...seen.map(({ hub, revision }) => answerOf(hub, () => ctx.hubs.network(hub).routerLinks(revision, row.name))),
  ])
  const links = seen.map(({ number }, i) => ({ number, links: answers[i]?.links ?? null }))
  return toRouterSnapshot({ ...row, networks: seen, transitions, links }, ctx.now)
}

async function takeOfNetwork(ctx: Ctx, { network, members = [] }: SnapshotRows) {
  const [row] = network ?? []
  if (!row) return refuse('NETWORK_NOT_FOUND')
  const view = await answerOf(row.hub, () => ctx.hubs.network(row.hub).status(row.revision))
  return toNetworkSnapshot({ ...row, members, view }, ctx.now)
}

/** Null where a network's hub does not answer. */
async function answerOf<T>(hub: HubName, ask: () => Promise<T>): Promise<T | null> {
  try {
    return (await within(HEALTH.answerMs, ask())) ?? null
  } catch (error) {
    log('warn', 'network hub', { hub, error: faultText(error) })
    return null
  }
}
