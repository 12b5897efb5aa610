import { and, eq, sql } from 'drizzle-orm'
import type { MemberSettings, NetworkSettings } from '#contract/network/settings.ts'
import type { Statements } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { deletePortClaims, memberSettingSql } from './settings.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkSettings, pointLinks } from '#db/schema/settings.ts'
import type { NetworkKey } from './settings.ts'

const network = { networkNumber: networks.number, networkName: as(networks.name, 'network_name') }

/** All centres of an account, with what was chosen for their ports. */
export const selectCenterPorts = (db: Db, accountId: number) =>
  db
    .select({
      ...network,
      routerId: networkMembers.routerId,
      routerName: as(routers.name, 'router_name'),
      note: routers.note,
      segmentIndex: networkMembers.segmentIndex,
      fixedPort: memberSettingSql('fixed_port', networkMembers.networkId, networkMembers.routerId).as('fixed_port'),
    })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .where(and(eq(networkMembers.accountId, accountId), eq(networkMembers.memberType, 'center')))

export const selectCenterLinkPorts = (db: Db, accountId: number) =>
  db
    .select({ ...network, value: networkSettings.value })
    .from(networkSettings)
    .innerJoin(networks, eq(networks.id, networkSettings.networkId))
    .where(and(eq(networks.accountId, accountId), eq(networkSettings.setting, 'center_link')))

export const selectPointLinkPorts = (db: Db, accountId: number) =>
  db
    .select({ ...network, routerId: pointLinks.serverId, port: pointLinks.port })
    .from(pointLinks)
    .innerJoin(networks, eq(networks.id, pointLinks.networkId))
    .where(eq(networks.accountId, accountId))

/** Ports that were chosen in an account, on whichever device. */
export const selectChosenPorts = (db: Db, accountId: number) =>
  db.all<[number]>(sql`
    select static_port as port from port_claims where account_id = ${accountId} and static_port is not null
    union select port from point_links where account_id = ${accountId}`)

/** Two writes at once cannot choose the same port: what both have chosen breaks UNIQUE, and the second is tried again. */
export function claimPorts(
  db: Db,
  key: NetworkKey & { readonly id: number },
  routerId: number,
  { router_service: router, software_service: software }: MemberSettings['fixed_port'],
): Statements {
  const rows = [
    ['router', router.static_port, router.public_ip, router.public_port],
    ['software', software.static_port, software.public_ip, software.public_port],
  ].filter(([, port]) => port !== null)
  return {
    unclaimed: deletePortClaims(db, key, [routerId], ['router', 'software']),
    claimed:
      rows.length > 0 &&
      db.run(sql`
        insert into port_claims (account_id, network_id, router_id, service, static_port, public_ip, public_port)
        select ${key.accountId}, ${key.id}, ${routerId}, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3
        from json_each(${JSON.stringify(rows)}) e`),
  }
}

/** The port of the twin-centre link, at the centre that answers; none while it is off. */
export function claimCenterLinkPort(
  db: Db,
  key: NetworkKey & { readonly id: number },
  servers: readonly (number | null)[],
  { enable, server, ports }: NetworkSettings['center_link'],
): Statements {
  const { public_ip: ip, public_port: port, static_port: own } = ports
  return {
    unclaimed: deletePortClaims(
      db,
      key,
      servers.filter((id) => id !== null),
      ['center_link'],
    ),
    claimed:
      enable === 1 &&
      own !== null &&
      db.run(sql`
        insert into port_claims (account_id, network_id, router_id, service, static_port, public_ip, public_port)
        values (${key.accountId}, ${key.id}, ${server}, 'center_link', ${own}, ${ip}, ${port})`),
  }
}
