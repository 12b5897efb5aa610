import { type SQL, and, eq, inArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { HubName } from '../contract/hubs.ts'
import { ROUTER_TYPE } from '../contract/limits.ts'
import { batch } from './batch.ts'
import type { Db } from './client.ts'
import { as } from './columns.ts'
import { selectPendingJobs } from './network-jobs.ts'
import { documentColumns } from './network-members.ts'
import { memberSettingColumns, networkSettingColumns } from './network-settings.ts'
import { accounts } from './schema/accounts.ts'
import { devices, routerStates, routers } from './schema/members.ts'
import { networkMembers, networks } from './schema/networks.ts'
import { memberSettings, networkSettings, pointLinks } from './schema/settings.ts'

/** Everything one router's document is made of, and its jobs, in one round trip. */
export async function selectRouter(db: Db, hub: HubName, now = Date.now()) {
  const ownId = sql`(select id from routers where hub = ${hub})`
  const { routers: own, ...rows } = await batch(db, {
    ...documentStatements(db, ownId),
    jobs: selectPendingJobs(db, ownId, now),
  })
  return { router: own[0] ?? null, ...rows }
}

/** Rows of the document of the router with this id. A point gets those of itself, its centres and its links' other ends. */
export function documentStatements(db: Db, ownId: SQL) {
  const own = selectOwn()
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
  return {
    routers: db
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
      .where(sql`${routers.id} = ${ownId}`),
    networks: db
      .select({
        id: networks.id,
        hub: networks.hub,
        number: networks.number,
        name: networks.name,
        status: networks.status,
        ciphers: networks.ciphers,
        secret: networks.secret,
        withdrawn: networks.withdrawn,
      })
      .from(networks)
      .where(inArray(networks.id, ownNetworks)),
    members: db
      .select({
        networkId: networkMembers.networkId,
        ...documentColumns,
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
    pointLinks: selectLinks(db, ownId),
    ...selectSettings(db, { own, ownId, ownNetworks, isNamed }),
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
const selectSettings = (db: Db, { own, ownId, ownNetworks, isNamed }: Selected) => ({
  settings: db
    .select({
      networkId: networkSettings.networkId,
      ...networkSettingColumns,
    })
    .from(networkSettings)
    .where(inArray(networkSettings.networkId, ownNetworks)),
  memberSettings: db
    .select({
      networkId: memberSettings.networkId,
      ...memberSettingColumns,
    })
    .from(own)
    .innerJoin(networkMembers, eq(networkMembers.networkId, own.networkId))
    .innerJoin(
      memberSettings,
      and(eq(memberSettings.networkId, networkMembers.networkId), eq(memberSettings.routerId, networkMembers.routerId)),
    )
    .where(and(sql`${own.routerId} = ${ownId}`, isNamed)),
})
