import { and, eq } from 'drizzle-orm'
import type { HubName } from '../../worker/contract/hubs.ts'
import { openPrimary } from '../../worker/db/client.ts'
import { as } from '../../worker/db/columns.ts'
import { stateColumns } from '../../worker/db/router-state.ts'
import { accounts } from '../../worker/db/schema/accounts.ts'
import { routerStates, routers } from '../../worker/db/schema/members.ts'
import { networkMembers, networks } from '../../worker/db/schema/networks.ts'
import { networkSettings, pointLinks } from '../../worker/db/schema/settings.ts'
import { readNetworkSettings } from '../../worker/domain/network/stored-settings.ts'
import { toConfigView, toPresenceView } from '../../worker/domain/router/presence.ts'
import type { HubLinkSettings, HubMember } from './projection.ts'

export interface NetworkFacts {
  readonly accountId: number
  readonly number: string
  readonly revision: number
  /** No device has a document of it any more, and so no link. */
  readonly isWithdrawn: boolean
  readonly accountHub: HubName
}

/** A network's members with their stored states, in one round trip; null when its row is gone. */
export async function readNetwork(
  env: Env,
  hub: HubName,
): Promise<{ network: NetworkFacts; members: HubMember[]; links: HubLinkSettings } | null> {
  const db = openPrimary(env)
  const [[network], members, settings, links] = await db.batch([
    db
      .select({
        accountId: networks.accountId,
        number: networks.number,
        revision: networks.revision,
        withdrawn: networks.withdrawn,
        accountHub: as(accounts.hub, 'account_hub'),
      })
      .from(networks)
      .innerJoin(accounts, eq(accounts.id, networks.accountId))
      .where(eq(networks.hub, hub)),
    db
      .select({
        routerId: networkMembers.routerId,
        routerHub: as(routers.hub, 'router_hub'),
        routerName: routers.name,
        routerType: routers.routerType,
        memberType: networkMembers.memberType,
        state: stateColumns,
      })
      .from(networks)
      .innerJoin(networkMembers, eq(networkMembers.networkId, networks.id))
      .innerJoin(routers, eq(routers.id, networkMembers.routerId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(eq(networks.hub, hub))
      .orderBy(networkMembers.id),
    db
      .select({ setting: networkSettings.setting, value: networkSettings.value, revision: networkSettings.revision })
      .from(networkSettings)
      .innerJoin(networks, eq(networks.id, networkSettings.networkId))
      .where(and(eq(networks.hub, hub), eq(networkSettings.setting, 'center_link'))),
    db
      .select({ serverId: pointLinks.serverId, clientId: pointLinks.clientId })
      .from(pointLinks)
      .innerJoin(networks, eq(networks.id, pointLinks.networkId))
      .where(eq(networks.hub, hub))
      .orderBy(pointLinks.id),
  ])
  if (!network) return null
  const { withdrawn, ...facts } = network
  return {
    network: { ...facts, isWithdrawn: withdrawn === 1 },
    links: {
      centerLink: readNetworkSettings(settings).values.center_link,
      pointLinks: links,
      ids: new Map(members.map((row) => [row.routerName, row.routerId])),
    },
    members: members.map((row) => ({
      router_hub: row.routerHub,
      router_name: row.routerName,
      router_type: row.routerType === 2 ? 2 : 1,
      member_type: row.memberType,
      presence: toPresenceView(row.state),
      config: toConfigView(row.state),
    })),
  }
}

/** The row's revision; undefined when the row is gone. */
export async function readRevision(env: Env, hub: HubName): Promise<number | undefined> {
  const query = openPrimary(env).select({ revision: networks.revision }).from(networks).where(eq(networks.hub, hub))
  const [row] = await query
  return row?.revision
}
