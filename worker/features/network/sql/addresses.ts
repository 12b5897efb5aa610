import { and, eq, sql, type SQL } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { ServicePorts } from '#contract/network/fields.ts'
import type { MemberSettings, NetworkSettings } from '#contract/network/settings.ts'
import type { Statements } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import type { Revision } from '#db/conflict.ts'
import { guard } from '#db/guard.ts'
import { type NetworkKey, deletePortClaims, memberSettingSql } from './settings.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers, networks, networkSettings, pointLinks } from '#db/schema/networks.ts'
import type { Member } from '#domain/network/members/membership.ts'

/* SQL of subnet indexes, segments and ports that an account's networks hold, with guards for concurrent writes. */

/** Subnet indexes that centres and POP nodes hold in networks of the account. */
const indexesOf = (accountId: number | SQL): SQL => sql`
  select segment_index as segment_index from network_members
    where account_id = ${accountId} and segment_index is not null
  union all select segment_index from pop_members where account_id = ${accountId}`

export const selectUsedIndexes = (db: Db, accountId: number | SQL) => db.all<[number]>(indexesOf(accountId))

/**
 * No index may be held twice. UNIQUE ensures this within each of the two tables; a batch that adds to one of them runs this
 * guard after its insert. A failure counts as a conflict, so that the write chooses again.
 */
export const guardSubnetIndexes = (db: Db, accountId: number) =>
  guard(
    db,
    sql`not exists (select 1 from (${indexesOf(accountId)}) group by segment_index having count(*) > 1)`,
    violation('NETWORK_CHANGED'),
  )

/**
 * Segments in 100.64.0.0/10 that default segments avoid: those that devices of the account report, also of other VPNs, and
 * those chosen for centres and POP.
 */
export const selectPoolSegments = (db: Db, accountId: number | SQL) =>
  db.all<[string]>(sql`
    select e.value ->> 'ip' || '/' || (e.value ->> 'mask') as segment
    from routers r join router_states s on s.router_id = r.id join json_each(s.interfaces) e
    where r.account_id = ${accountId} and e.value ->> 'role' in ('lan', 'wan', 'tunnel') and e.value ->> 'ip' like '100.%'
    union all
    select e.value ->> 'gateway' || '/' || (e.value ->> 'mask') from member_settings s join json_each(s.value) e
    where s.account_id = ${accountId} and s.setting = 'gateway' and e.value ->> 'gateway' like '100.%'
    union all
    select s.value ->> ('$.' || k.value || '.gateway') || '/' || (s.value ->> ('$.' || k.value || '.mask'))
    from network_settings s join json_each('["pop","pop_software"]') k
    where s.account_id = ${accountId} and s.setting = 'ip_pool'
      and s.value ->> ('$.' || k.value || '.gateway') like '100.%'`)

/** Other networks of the account that one of these routers is in. */
const networksBeside = (accountId: number, routerIds: SQL): SQL =>
  sql`select network_id from network_members where account_id = ${accountId} and router_id in (${routerIds})`

/**
 * Members of networks that share a router with this one, or would with the named routers in it. They cover the whole
 * account, because a routing table knows no roles. One JSON column carries their LANs.
 */
export const selectNeighbors = (db: Db, { accountId }: Scope, number: string, names: readonly string[] = []) =>
  db.all<[number, number, string, string, string, string, string, number | null, string | null, string]>(sql`
    select n.id, n.revision, n.number, n.name as network_name, r.name as router_name, r.note,
      (select json_group_array(e.value ->> 'ip' || '/' || (e.value ->> 'mask'))
        from json_each(s.interfaces) e where e.value ->> 'role' = 'lan') as lans,
      m.segment_index, ${memberSettingSql('gateway', sql`m.network_id`, sql`m.router_id`)} as gateway, r.static_routes
    from networks n
    join network_members m on m.network_id = n.id
    join routers r on r.id = m.router_id
    left join router_states s on s.router_id = m.router_id
    where n.account_id = ${accountId} and n.number <> ${number} and n.id in (${networksBeside(
      accountId,
      sql`select own.router_id from network_members own join networks o on o.id = own.network_id
        where o.account_id = ${accountId} and o.number = ${number}
        union select id from routers
        where account_id = ${accountId} and name in (select value from json_each(${JSON.stringify(names)}))`,
    )})`)

/** Networks of these rows, each once, with the revisions that were read. */
export const toRevisions = (rows: readonly (readonly [number, number, ...unknown[]])[]): readonly Revision[] => [
  ...new Map(rows.map(([id, revision]) => [id, { id, revision }])).values(),
]

/** Guards that the networks which share a router with this one are those that were read, and unchanged. */
export const guardNeighbors = (
  db: Db,
  { accountId, number }: NetworkKey,
  members: readonly Pick<Member, 'routerId'>[],
  known: readonly Revision[],
) => {
  const ids = sql`select value from json_each(${JSON.stringify(members.map((m) => m.routerId))})`
  const expected = JSON.stringify(known)
  return guard(
    db,
    sql`not exists (select 1 from networks n
      where n.account_id = ${accountId} and n.number <> ${number} and n.id in (${networksBeside(accountId, ids)})
      and not exists (select 1 from json_each(${expected}) e
        where e.value ->> 'id' = n.id and e.value ->> 'revision' = n.revision))`,
    violation('NETWORK_CHANGED'),
  )
}

const network = { networkNumber: networks.number, networkName: as(networks.name, 'network_name') }

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
    .select({
      ...network,
      serverId: pointLinks.serverId,
      port: pointLinks.port,
      clientId: pointLinks.clientId,
      clientPort: pointLinks.clientPort,
    })
    .from(pointLinks)
    .innerJoin(networks, eq(networks.id, pointLinks.networkId))
    .where(eq(networks.accountId, accountId))

/** Ports that are chosen in an account, on any device. */
export const selectChosenPorts = (db: Db, accountId: number) =>
  db.all<[number]>(sql`
    select static_port as port from port_claims where account_id = ${accountId} and static_port is not null
    union select port from point_links where account_id = ${accountId}
    union select client_port from point_links where account_id = ${accountId} and client_port is not null`)

/** Claims chosen ports. If two concurrent writes choose one port, the second breaks UNIQUE and is tried again. */
function insertClaims(
  db: Db,
  key: NetworkKey & { readonly id: number },
  routerId: number | null,
  services: readonly (readonly [service: string, ServicePorts])[],
) {
  const chosen = services.filter(([, { static_port }]) => static_port !== null)
  const rows = chosen.map(([service, ports]) => [service, ports.static_port, ports.public_ip, ports.public_port])
  return (
    rows.length > 0 &&
    db.run(sql`
      insert into port_claims (account_id, network_id, router_id, service, static_port, public_ip, public_port)
      select ${key.accountId}, ${key.id}, ${routerId}, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3
      from json_each(${JSON.stringify(rows)}) e`)
  )
}

export const claimPorts = (
  db: Db,
  key: NetworkKey & { readonly id: number },
  routerId: number,
  { router_service: router, software_service: software }: MemberSettings['fixed_port'],
): Statements => ({
  unclaimed: deletePortClaims(db, key, [routerId], ['router', 'software']),
  claimed: insertClaims(db, key, routerId, [
    ['router', router],
    ['software', software],
  ]),
})

/** Claims the port of the twin-centre link at its server; none while the link is off. */
export function claimCenterLinkPort(
  db: Db,
  key: NetworkKey & { readonly id: number },
  servers: readonly (number | null)[],
  { enable, server, ports }: NetworkSettings['center_link'],
): Statements {
  const known = servers.filter((id) => id !== null)
  return {
    unclaimed: deletePortClaims(db, key, known, ['center_link']),
    claimed: enable === 1 && insertClaims(db, key, server, [['center_link', ports]]),
  }
}
