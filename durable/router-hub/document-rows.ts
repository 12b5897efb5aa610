import { type SQL, and, eq, inArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { HubName } from '../../worker/contract/hubs.ts'
import { ROUTER_TYPE } from '../../worker/contract/limits.ts'
import type { Db } from '../../worker/db/client.ts'
import { as } from '../../worker/db/columns.ts'
import { lanList } from '../../worker/db/router-state.ts'
import { selectPendingJobs } from '../../worker/db/network-jobs.ts'
import { accounts } from '../../worker/db/schema/accounts.ts'
import { devices, routerStates, routers } from '../../worker/db/schema/members.ts'
import { networkMembers, networks } from '../../worker/db/schema/networks.ts'
import { memberSettings, networkSettings, pointLinks } from '../../worker/db/schema/settings.ts'
import { type NetworkRows, toNetworkRows } from '../../worker/domain/network/compile/rows.ts'

/** Everything one router's document is made of, and its jobs, in one round trip. A point gets the rows of itself, its centres and its links' other ends. */
export async function selectRouter(db: Db, hub: HubName, now = Date.now()) {
  const own = selectOwn()
  const ownId = sql`(select id from routers where hub = ${hub})`
  const ownNetworks = sql`(select network_id from network_members where router_id = ${ownId})`
  /** Members that the document of `own` names. */
  const isNamed = or(
    eq(networkMembers.memberType, 'center'),
    eq(own.memberType, 'center'),
    eq(networkMembers.routerId, own.routerId),
    sql`exists (select 1 from point_links p where p.network_id = ${networkMembers.networkId} and (
      (p.server_id = ${own.routerId} and p.client_id = ${networkMembers.routerId})
      or (p.client_id = ${own.routerId} and p.server_id = ${networkMembers.routerId})))`,
  )
  const [[router], found, members, links, settings, ofMembers, jobs] = await db.batch([
    db
      .select({
        accountId: routers.accountId,
        accountHub: as(accounts.hub, 'account_hub'),
        deviceId: routers.deviceId,
        name: routers.name,
        routerType: routers.routerType,
        status: routers.status,
        leftNetwork: routers.leftNetwork,
        configVersion: routerStates.configVersion,
        publicKey: devices.publicKey,
      })
      .from(routers)
      .innerJoin(accounts, eq(accounts.id, routers.accountId))
      .leftJoin(devices, eq(devices.id, routers.deviceId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(eq(routers.hub, hub)),
    db
      .select({
        id: networks.id,
        hub: networks.hub,
        number: networks.number,
        ciphers: networks.ciphers,
        secret: networks.secret,
        withdrawn: networks.withdrawn,
      })
      .from(networks)
      .where(inArray(networks.id, ownNetworks)),
    db
      .select({
        networkId: networkMembers.networkId,
        routerId: networkMembers.routerId,
        routerName: routers.name,
        routerType: routers.routerType,
        memberType: networkMembers.memberType,
        segmentIndex: networkMembers.segmentIndex,
        host: networkMembers.host,
        staticRoutes: routers.staticRoutes,
        remoteHost: routerStates.remoteHost,
        probePort: routerStates.probePort,
        lans: lanList.as('lans'),
      })
      .from(own)
      .innerJoin(networkMembers, eq(networkMembers.networkId, own.networkId))
      .innerJoin(routers, eq(routers.id, networkMembers.routerId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(
        and(
          sql`${own.routerId} = ${ownId}`,
          or(eq(routers.routerType, ROUTER_TYPE.hardware), eq(routers.status, 1)), // a disabled account may not dial in
          isNamed,
        ),
      ),
    selectLinks(db, ownId),
    ...selectSettings(db, { own, ownId, ownNetworks, isNamed }),
    selectPendingJobs(db, ownId, now),
  ])
  return {
    router: router ?? null,
    networks: found,
    members,
    pointLinks: links,
    settings,
    memberSettings: ofMembers,
    jobs,
  }
}

interface Selected {
  readonly own: ReturnType<typeof selectOwn>
  readonly ownId: SQL
  readonly ownNetworks: SQL
  readonly isNamed: SQL | undefined
}

const selectOwn = () => alias(networkMembers, 'own')

const selectLinks = (db: Db, ownId: SQL) =>
  db
    .select({
      networkId: pointLinks.networkId,
      serverId: pointLinks.serverId,
      clientId: pointLinks.clientId,
      gateway: pointLinks.gateway,
      mask: pointLinks.mask,
      port: pointLinks.port,
    })
    .from(pointLinks)
    .where(sql`${pointLinks.serverId} = ${ownId} or ${pointLinks.clientId} = ${ownId}`)

/** Settings of the networks, and of the members that the document names. */
const selectSettings = (db: Db, { own, ownId, ownNetworks, isNamed }: Selected) =>
  [
    db
      .select({
        networkId: networkSettings.networkId,
        setting: networkSettings.setting,
        value: networkSettings.value,
        revision: networkSettings.revision,
      })
      .from(networkSettings)
      .where(inArray(networkSettings.networkId, ownNetworks)),
    db
      .select({
        networkId: memberSettings.networkId,
        routerId: memberSettings.routerId,
        setting: memberSettings.setting,
        value: memberSettings.value,
        revision: memberSettings.revision,
      })
      .from(own)
      .innerJoin(networkMembers, eq(networkMembers.networkId, own.networkId))
      .innerJoin(
        memberSettings,
        and(
          eq(memberSettings.networkId, networkMembers.networkId),
          eq(memberSettings.routerId, networkMembers.routerId),
        ),
      )
      .where(and(sql`${own.routerId} = ${ownId}`, isNamed)),
  ] as const

type RouterRows = Awaited<ReturnType<typeof selectRouter>>

/** Networks that the document names. A software member reads its own at sign-in: no hub pushes it. */
export function toCompilerRows(
  { routerType }: { readonly routerType: number },
  rows: Omit<RouterRows, 'router' | 'jobs'>,
): readonly NetworkRows[] {
  if (routerType !== ROUTER_TYPE.hardware) return []
  const ofNetwork = <T extends { readonly networkId: number }>(all: readonly T[], id: number) =>
    all.filter(({ networkId }) => networkId === id)
  return rows.networks
    .filter(({ withdrawn }) => withdrawn === 0)
    .map((network) =>
      toNetworkRows(
        {
          ...network,
          settings: ofNetwork(rows.settings, network.id),
          memberSettings: ofNetwork(rows.memberSettings, network.id),
          pointLinks: ofNetwork(rows.pointLinks, network.id),
        },
        ofNetwork(rows.members, network.id),
      ),
    )
}
