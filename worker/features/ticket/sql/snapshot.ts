import { and, eq, sql } from 'drizzle-orm'
import type { Session } from '#contract/kernel/session.ts'
import type { SnapshotTarget } from '#contract/ticket/snapshot.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { stateColumns } from '#features/router/sql/columns.ts'
import { isRouterNamed, selectNetworksByRouter } from '#features/router/sql/routers.ts'
import { devices, routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkScope } from '#db/scope.ts'

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
