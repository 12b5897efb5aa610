import { and, eq, inArray, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { batch } from '#db/batch.ts'
import { type Db, openPrimary } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { memberSettingColumns, networkSettingColumns } from '#features/network/sql/settings.ts'
import { isActiveFr } from '#features/network-fr/sql/nodes.ts'
import { stateColumns } from '#features/router/sql/columns.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks, memberSettings, networkSettings, pointLinks } from '#db/schema/networks.ts'
import { networkFrAreas, networkFrs, popMembers, pops } from '#db/schema/pop.ts'
import { NO_PORTS } from '#contract/network/fields.ts'
import { POP_MODE } from '#contract/network/limits.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { PublicAddress } from '#domain/health/reach.ts'
import { siteOf } from '#domain/health/site.ts'
import { toAreas } from '#domain/network-fr/resource.ts'
import { type SettingRow, readMemberSettings, readNetworkSettings } from '#domain/network/history/stored-settings.ts'
import { placesAt } from '#domain/network/addresses/link-addresses.ts'
import { parseChosen, parseDevice, tunnelAddress } from '#domain/router/endpoints.ts'
import { type StateRow, toConfigView, toPresenceView } from '#domain/router/presence.ts'
import { type RefusedNetwork, configIn } from '#domain/router/refused-networks.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { HubLinkSettings, HubMember } from './projection.ts'

/* Database reads of the network hub: members with their stored states, POP nodes, area settings, revision. */

/** Members of a network with their stored states, in one round trip; null when the row of the network is gone. */
export async function readNetwork(env: Env, hub: HubName) {
  const db = openPrimary(env)
  const {
    network: [network],
    members,
    settings,
    links,
    nodes,
    ofMembers,
  } = await batch(db, {
    network: db
      .select({
        accountId: networks.accountId,
        number: networks.number,
        revision: networks.revision,
        withdrawn: networks.withdrawn,
        mode: networks.mode,
        severity: networks.severity,
        accountHub: as(accounts.hub, 'account_hub'),
      })
      .from(networks)
      .innerJoin(accounts, eq(accounts.id, networks.accountId))
      .where(eq(networks.hub, hub)),
    members: selectMembers(db, hub),
    settings: db
      .select(networkSettingColumns)
      .from(networkSettings)
      .innerJoin(networks, eq(networks.id, networkSettings.networkId))
      .where(and(eq(networks.hub, hub), inArray(networkSettings.setting, ['center_link', 'ip_pool']))),
    links: db
      .select({ serverId: pointLinks.serverId, clientId: pointLinks.clientId })
      .from(pointLinks)
      .innerJoin(networks, eq(networks.id, pointLinks.networkId))
      .where(eq(networks.hub, hub))
      .orderBy(pointLinks.id),
    nodes: selectNodes(db, hub),
    ofMembers: db
      .select(memberSettingColumns)
      .from(memberSettings)
      .innerJoin(networks, eq(networks.id, memberSettings.networkId))
      .where(and(eq(networks.hub, hub), inArray(memberSettings.setting, ['ov', 'fixed_port']))),
  })
  if (!network) return null
  const { withdrawn, mode, severity, ...facts } = network
  const { center_link: centerLink, ip_pool } = readNetworkSettings(settings).values
  const linkSettings: HubLinkSettings = {
    centerLink,
    pointLinks: links,
    nodes,
    ids: new Map(members.map((row) => [row.routerName, row.routerId])),
    pop: { nodes, areasOf: toAreas(ofMembers), hasPlace: placesAt(members, nodes, { ip_pool }) },
  }
  return {
    /** Withdrawn: no device has the network in its document any more, so it has no links. */
    network: { ...facts, isWithdrawn: withdrawn === 1, isPopFirst: mode === POP_MODE.popFirst },
    links: linkSettings,
    /** Health as the rows hold it. */
    health: { severity, singleCenter: members.flatMap((row) => (row.singleCenter === 1 ? [row.routerName] : [])) },
    members: [
      ...members.map((row) => ({
        ...toHubMember(row, row.routerType === 2 ? 2 : 1, row.memberType),
        ...(row.vpn === 1 && row.memberType === 'center' && { published: toPublished(row, ofMembers, centerLink) }),
      })),
      ...nodes.map((row) => toHubNode(row, network.number)),
    ],
  }
}

const selectMembers = (db: Db, hub: HubName) =>
  db
    .select({
      routerId: networkMembers.routerId,
      routerHub: as(routers.hub, 'router_hub'),
      routerName: routers.name,
      routerType: routers.routerType,
      memberType: networkMembers.memberType,
      host: networkMembers.host,
      singleCenter: networkMembers.singleCenter,
      remoteHost: routerStates.remoteHost,
      endpoints: routers.endpoints,
      deviceEndpoints: as(routerStates.endpoints, 'device_endpoints'),
      vpn: routerStates.vpn,
      wan: tunnelWan,
      state: stateColumns,
    })
    .from(networks)
    .innerJoin(networkMembers, eq(networkMembers.networkId, networks.id))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(eq(networks.hub, hub))
    .orderBy(networkMembers.id)

/** The operator's servers that carry the network. */
const selectNodes = (db: Db, hub: HubName) =>
  db
    .select({
      routerId: popMembers.routerId,
      routerName: routers.name,
      areaId: popMembers.areaId,
      area: as(pops.name, 'area'),
      segmentIndex: popMembers.segmentIndex,
      routerHub: as(routers.hub, 'router_hub'),
      accountHub: as(accounts.hub, 'account_hub'),
      remoteHost: routerStates.remoteHost,
      deviceEndpoints: as(routerStates.endpoints, 'device_endpoints'),
      vpn: routerStates.vpn,
      wan: tunnelWan,
      refused: routerStates.configRefused,
      state: stateColumns,
    })
    .from(popMembers)
    .innerJoin(networks, eq(networks.id, popMembers.networkId))
    .innerJoin(networkFrAreas, eq(networkFrAreas.id, popMembers.areaId))
    .innerJoin(networkFrs, eq(networkFrs.id, networkFrAreas.frId))
    .innerJoin(pops, eq(pops.id, networkFrAreas.popId))
    .innerJoin(routers, eq(routers.id, popMembers.routerId))
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(eq(networks.hub, hub), isActiveFr))
    .orderBy(popMembers.segmentIndex)

function toHubNode(row: Awaited<ReturnType<typeof selectNodes>>[number], number: string): HubMember {
  const node = toHubMember(row, ROUTER_TYPE.hardware, 'pop')
  const refused = JSON.parse(row.refused ?? '[]') as readonly RefusedNetwork[]
  return { ...node, config: configIn(number, node.config, refused), account_hub: row.accountHub, area: row.area }
}

const toHubMember = (
  row: {
    readonly routerHub: HubName
    readonly routerName: string
    readonly remoteHost: string | null
    readonly deviceEndpoints: string | null
    readonly vpn: number | null
    readonly wan: string | null
    readonly state: StateRow | null
  },
  router_type: HubMember['router_type'],
  member_type: HubMember['member_type'],
): HubMember => ({
  router_hub: row.routerHub,
  router_name: row.routerName,
  router_type,
  member_type,
  presence: toPresenceView(row.state),
  config: toConfigView(row.state),
  site: siteOf(row.remoteHost),
  ...(row.vpn === 1 && {
    tunnels: { seenAt: tunnelAddress(row.remoteHost ?? '', parseDevice(row)), wan: row.wan ?? '' },
  }),
})

/** IPv4 address of the WAN interface of a device that runs tunnels; null for others. */
const tunnelWan = sql<string | null>`iif(${routerStates.vpn} = 1, (select e.value ->> 'ip'
  from json_each(${routerStates.interfaces}) e where e.value ->> 'role' = 'wan' and instr(e.value ->> 'ip', '.') > 0 limit 1), null)`.as(
  'wan',
)

/** Chosen public addresses of a centre: those of the setting, else that of its router. */
function toPublished(
  { routerId, endpoints }: { readonly routerId: number; readonly endpoints: string },
  rows: readonly (SettingRow & { readonly routerId: number })[],
  { server, ports }: NetworkSettings['center_link'],
) {
  const own = readMemberSettings(rows.filter((row) => row.routerId === routerId)).values.fixed_port
  const [chosen = null] = parseChosen(endpoints)
  const of = ({ public_ip, public_port }: PublicAddress): PublicAddress => ({
    public_ip: public_ip ?? chosen,
    public_port,
  })
  return { access: of(own.router_service), center: of(server === routerId ? ports : NO_PORTS) }
}

export async function readRevision(env: Env, hub: HubName): Promise<number | undefined> {
  const query = openPrimary(env).select({ revision: networks.revision }).from(networks).where(eq(networks.hub, hub))
  const [row] = await query
  return row?.revision
}
