import { type SQL, and, eq, or, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { selectHold } from '#db/missing-rows.ts'
import { keyStatements } from './certificates.ts'
import { selectPendingJobs } from '#features/network/sql/jobs.ts'
import { documentColumns } from '#features/network/sql/members.ts'
import { memberSettingColumns, networkSettingColumns, pointLinkColumns } from '#features/network/sql/settings.ts'
import { isActiveFr, popNodeColumns } from '#features/network-fr/sql/nodes.ts'
import { prepareStatements } from '#db/prepared.ts'
import { accounts } from '#db/schema/accounts.ts'
import { devices, routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks, memberSettings, networkSettings, pointLinks } from '#db/schema/networks.ts'
import { networkFrAreas, networkFrs, popMembers } from '#db/schema/pop.ts'
import { saasDevices } from '#db/schema/saas.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { termColumns } from '#features/saas/sql.ts'

/* Statements that read all rows for a router's document: networks, members, POP nodes, links, settings. */

/** Reads all rows of one router's document, and its jobs, in one round trip. */
export async function selectRouter(db: Db, hub: HubName, now = Date.now()) {
  const { routers: own, ...rows } = await batch(db, routerStatements({ hub, now }))
  return { router: own[0] ?? null, ...rows }
}

const routerStatements = prepareStatements((db) => {
  const ownId = sql`(select id from routers where hub = ${sql.placeholder('hub')})`
  const now = sql`${sql.placeholder('now')}`
  return {
    ...documentStatements(db, ownId),
    ...keyStatements(db, { ownId, ownNetworks: selectOwnNetworks(ownId) }, now),
    jobs: selectPendingJobs(db, ownId, sql.placeholder('now')),
    holds: selectHold(db),
  }
})

/** Rows of a router's keys alone, behind the statements that store new ones. */
export const selectKeys = prepareStatements((db) => {
  const ownId = sql`(select id from routers where hub = ${sql.placeholder('hub')})`
  return keyStatements(db, { ownId, ownNetworks: selectOwnNetworks(ownId) }, sql`${sql.placeholder('now')}`)
})

/**
 * Statements for the document of the router with this id. Members that the document does not contain are not read. `reach`
 * reads all that a software member reaches.
 */
export function documentStatements(db: Db, ownId: SQL | number, { reach = false } = {}) {
  const ownNetworks = selectOwnNetworks(ownId)
  const named = sql`(${reach ? selectReached(ownId) : selectNamed(ownId)}) as named`
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
        vpn: routerStates.vpn,
        certificateRequest: routerStates.certificateRequest,
        publicKey: devices.publicKey,
        resetAt: devices.resetAt,
        ...termColumns,
      })
      .from(routers)
      .innerJoin(accounts, eq(accounts.id, routers.accountId))
      .leftJoin(devices, eq(devices.id, routers.deviceId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .leftJoin(saasDevices, eq(saasDevices.routerId, routers.id))
      .where(sql`${routers.id} = ${ownId}`),
    networks: db
      .select({
        id: networks.id,
        hub: networks.hub,
        number: networks.number,
        name: networks.name,
        status: networks.status,
        ciphers: networks.ciphers,
        revision: networks.revision,
        accountId: networks.accountId,
        secret: networks.secret,
        secretSealed: networks.secretSealed,
        mode: networks.mode,
        withdrawn: networks.withdrawn,
        isMember: sql<0 | 1>`exists (select 1 from network_members m
          where m.network_id = networks.id and m.router_id = ${ownId})`.as('is_member'),
      })
      .from(networks)
      .where(sql`${networks.id} in ${ownNetworks}`),
    members: db
      .select({
        networkId: networkMembers.networkId,
        ...documentColumns,
      })
      .from(named)
      .innerJoin(networkMembers, isNamed)
      .innerJoin(routers, eq(routers.id, networkMembers.routerId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(
        // Disabled software members, and those of a disabled account, may not dial in.
        or(
          eq(routers.routerType, ROUTER_TYPE.hardware),
          and(
            eq(routers.status, 1),
            sql`exists (select 1 from accounts a where a.id = ${routers.accountId} and a.status = 1)`,
          ),
        ),
      ),
    pointLinks: selectLinks(db, ownId),
    popNodes: selectNodes(db, ownNetworks),
    ...selectSettings(db, { ownNetworks, named }),
  }
}

/** Networks that the router is in, or carries. */
const selectOwnNetworks = (ownId: SQL | number) => sql`(
  select network_id from network_members where router_id = ${ownId}
  union ${selectCarried(ownId)})`

/** Networks that the router carries as a node of a POP area. */
const selectCarried = (ownId: SQL | number) => sql`
  select p.network_id from pop_members p join network_fr_areas a on a.id = p.area_id
    join network_frs on network_frs.id = a.fr_id where p.router_id = ${ownId} and ${isActiveFr}`

/**
 * Members that the document contains, with their networks. A point has itself, its centres and the other ends of its links;
 * a centre, or a node that is no member, has all. An index answers each term, in networks of any size.
 */
const selectNamed = (ownId: SQL | number) => sql`
  select network_id, router_id from network_members where router_id = ${ownId}
  union select c.network_id, c.router_id from network_members own
    join network_members c on c.network_id = own.network_id and c.member_type = 'center' where own.router_id = ${ownId}
  union select m.network_id, m.router_id from network_members own join network_members m on m.network_id = own.network_id
    where own.router_id = ${ownId} and own.member_type = 'center'
  union select p.network_id, iif(p.server_id = ${ownId}, p.client_id, p.server_id) from point_links p
    where p.server_id = ${ownId} or p.client_id = ${ownId}
  union select m.network_id, m.router_id from network_members m where m.network_id in (${selectCarried(ownId)})
    and not exists (select 1 from network_members o where o.network_id = m.network_id and o.router_id = ${ownId})`

/** A software member, and all hardware of its networks. */
const selectReached = (ownId: SQL | number) => sql`
  select network_id, router_id from network_members where router_id = ${ownId}
  union select m.network_id, m.router_id from network_members own join network_members m on m.network_id = own.network_id
    join routers r on r.id = m.router_id
    where own.router_id = ${ownId} and r.router_type = ${ROUTER_TYPE.hardware}`

const isNamed = sql`${networkMembers.networkId} = named.network_id and ${networkMembers.routerId} = named.router_id`

const selectLinks = (db: Db, ownId: SQL | number) =>
  db
    .select(pointLinkColumns)
    .from(pointLinks)
    .where(sql`${pointLinks.serverId} = ${ownId} or ${pointLinks.clientId} = ${ownId}`)

/** All nodes of the networks, because they share segments and reach each other. */
const selectNodes = (db: Db, ownNetworks: SQL) =>
  db
    .select({ networkId: popMembers.networkId, ...popNodeColumns })
    .from(popMembers)
    .innerJoin(networkFrAreas, eq(networkFrAreas.id, popMembers.areaId))
    .innerJoin(networkFrs, eq(networkFrs.id, networkFrAreas.frId))
    .innerJoin(routers, eq(routers.id, popMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(sql`${popMembers.networkId} in ${ownNetworks} and ${isActiveFr}`)

/** Settings of the networks, and of members in the document. */
const selectSettings = (db: Db, { ownNetworks, named }: { readonly ownNetworks: SQL; readonly named: SQL }) => ({
  settings: db
    .select({
      networkId: networkSettings.networkId,
      ...networkSettingColumns,
    })
    .from(networkSettings)
    .where(sql`${networkSettings.networkId} in ${ownNetworks}`),
  memberSettings: db
    .select({
      networkId: memberSettings.networkId,
      ...memberSettingColumns,
    })
    .from(named)
    .innerJoin(networkMembers, isNamed)
    .innerJoin(
      memberSettings,
      and(eq(memberSettings.networkId, networkMembers.networkId), eq(memberSettings.routerId, networkMembers.routerId)),
    ),
})
