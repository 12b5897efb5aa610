import { type SQL, and, eq, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { HubName } from '../../worker/contract/hubs.ts'
import { ROUTER_TYPE } from '../../worker/contract/limits.ts'
import type { Db } from '../../worker/db/client.ts'
import { as } from '../../worker/db/columns.ts'
import { isActiveFr, popNodeColumns } from '../../worker/db/pop-nodes.ts'
import { lanList } from '../../worker/db/router-state.ts'
import { accounts } from '../../worker/db/schema/accounts.ts'
import { devices, routerStates, routers } from '../../worker/db/schema/members.ts'
import { networkMembers, networks } from '../../worker/db/schema/networks.ts'
import { networkFrAreas, networkFrs, popMembers } from '../../worker/db/schema/pop.ts'
import { memberSettings, networkSettings, pointLinks } from '../../worker/db/schema/settings.ts'
import { type NetworkRows, toNetworkRows } from '../../worker/domain/network/compile/rows.ts'

/**
 * Everything one router's document is made of, in one round trip. A point gets the rows of itself, its centres and its links'
 * other ends; a node of a POP area all rows of the networks that it carries.
 */
export async function selectRouter(db: Db, hub: HubName) {
  const own = selectOwn()
  const ownId = sql`(select id from routers where hub = ${hub})`
  const ownNetworks = sql`(
    select network_id from network_members where router_id = ${ownId}
    union select p.network_id from pop_members p join network_fr_areas a on a.id = p.area_id
      join network_frs on network_frs.id = a.fr_id where p.router_id = ${ownId} and ${isActiveFr})`
  /** Members that the document of `own` names; of a node, which is no member, all. */
  const isNamed = or(
    isNull(own.routerId),
    eq(networkMembers.memberType, 'center'),
    eq(own.memberType, 'center'),
    eq(networkMembers.routerId, own.routerId),
    sql`exists (select 1 from point_links p where p.network_id = ${networkMembers.networkId} and (
      (p.server_id = ${own.routerId} and p.client_id = ${networkMembers.routerId})
      or (p.client_id = ${own.routerId} and p.server_id = ${networkMembers.routerId})))`,
  )
  const [[router], found, members, links, nodes, settings, ofMembers] = await db.batch([
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
        mode: networks.mode,
        withdrawn: networks.withdrawn,
        isMember: sql<0 | 1>`exists (select 1 from network_members m
          where m.network_id = ${networks.id} and m.router_id = ${ownId})`.as('is_member'),
      })
      .from(networks)
      .where(sql`${networks.id} in ${ownNetworks}`),
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
      .from(networkMembers)
      .leftJoin(own, and(eq(own.networkId, networkMembers.networkId), sql`${own.routerId} = ${ownId}`))
      .innerJoin(routers, eq(routers.id, networkMembers.routerId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(
        and(
          sql`${networkMembers.networkId} in ${ownNetworks}`,
          or(eq(routers.routerType, ROUTER_TYPE.hardware), eq(routers.status, 1)), // a disabled account may not dial in
          isNamed,
        ),
      ),
    selectLinks(db, ownId),
    selectNodes(db, ownNetworks),
    ...selectSettings(db, { own, ownId, ownNetworks, isNamed }),
  ])
  return {
    router: router ?? null,
    networks: found,
    members,
    pointLinks: links,
    popNodes: nodes,
    settings,
    memberSettings: ofMembers,
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

/** All nodes of the networks: they share segments and reach each other. */
const selectNodes = (db: Db, ownNetworks: SQL) =>
  db
    .select({ networkId: popMembers.networkId, ...popNodeColumns })
    .from(popMembers)
    .innerJoin(networkFrAreas, eq(networkFrAreas.id, popMembers.areaId))
    .innerJoin(networkFrs, eq(networkFrs.id, networkFrAreas.frId))
    .innerJoin(routers, eq(routers.id, popMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(sql`${popMembers.networkId} in ${ownNetworks} and ${isActiveFr}`)

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
      .where(sql`${networkSettings.networkId} in ${ownNetworks}`),
    db
      .select({
        networkId: memberSettings.networkId,
        routerId: memberSettings.routerId,
        setting: memberSettings.setting,
        value: memberSettings.value,
        revision: memberSettings.revision,
      })
      .from(networkMembers)
      .leftJoin(own, and(eq(own.networkId, networkMembers.networkId), sql`${own.routerId} = ${ownId}`))
      .innerJoin(
        memberSettings,
        and(
          eq(memberSettings.networkId, networkMembers.networkId),
          eq(memberSettings.routerId, networkMembers.routerId),
        ),
      )
      .where(and(sql`${networkMembers.networkId} in ${ownNetworks}`, isNamed)),
  ] as const

type RouterRows = Awaited<ReturnType<typeof selectRouter>>

/** Networks that the document names. A software member reads its own at sign-in: no hub pushes it. */
export function toCompilerRows(
  { routerType }: { readonly routerType: number },
  rows: Omit<RouterRows, 'router'>,
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
          popNodes: ofNetwork(rows.popNodes, network.id),
        },
        ofNetwork(rows.members, network.id),
      ),
    )
}
