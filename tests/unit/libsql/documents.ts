import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { selectRouter } from '#features/router/sql/document-rows.ts'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import {
  type PointLinkRow,
  type StoredDocumentMember,
  type StoredPopNode,
  toNetworkRows,
} from '#domain/network/compile/rows.ts'
import type { SettingRow } from '#domain/network/history/stored-settings.ts'
import { toCompilerRows } from '#durable/router-hub/database.ts'
import { db, run } from '#tests/support/libsql.ts'

const toLinkKey = (secret: string, link: string) =>
  createHash('sha256')
    .update(secret + link)
    .digest('hex')

/** Documents of the hardware routers of an account, and of the nodes of areas that it has bought, by their hubs. */
export type Documents = ReadonlyMap<string, string>

/**
 * Compiled from an account's rows as they are. `named` leaves nobody out: a write may notify those whose document names a
 * disabled member or a withdrawn network, although their document stays as it is.
 */
export async function compileAll(accountId: number): Promise<{ documents: Documents; named: Documents }> {
  const rows = await run(
    `select n.number, n.secret, n.ciphers, n.mode, n.withdrawn, r.id, r.name, r.router_type, r.status, m.member_type,
       m.segment_index, m.host, r.static_routes
     from network_members m join networks n on n.id = m.network_id join routers r on r.id = m.router_id
     where m.account_id = ?`,
    [accountId],
  )
  const settings = await run(
    `select n.number, null as router_id, s.setting, s.value, s.revision
     from network_settings s join networks n on n.id = s.network_id where s.account_id = ?
     union all select n.number, s.router_id, s.setting, s.value, s.revision
     from member_settings s join networks n on n.id = s.network_id where s.account_id = ?`,
    [accountId, accountId],
  )
  const links = await run(
    `select n.number, l.server_id, l.client_id, l.gateway, l.mask, l.port
     from point_links l join networks n on n.id = l.network_id where l.account_id = ?`,
    [accountId],
  )
  const nodes = await run(
    `select n.number, p.router_id, p.area_id, p.segment_index, p.port_index, a.bandwidth, r.name
     from pop_members p join networks n on n.id = p.network_id join network_fr_areas a on a.id = p.area_id
     join network_frs f on f.id = a.fr_id join routers r on r.id = p.router_id
     where p.account_id = ? and f.status = 1 and f.lapsed = 0`,
    [accountId],
  )
  const hardware = [
    ...(await run('select hub, name from routers where account_id = ? and router_type = 1', [accountId])),
    ...(await selectNodeHubs(accountId)),
  ]
  const isUsed = (row: Row) => row['withdrawn'] === 0 && (row['router_type'] === 1 || row['status'] === 1)
  const of = (members: readonly Row[]) => compile(hardware, members, settings, links, nodes)
  return { documents: of(rows.filter(isUsed)), named: of(rows) }
}

export const documents = async (accountId: number): Promise<Documents> => (await compileAll(accountId)).documents

/** Nodes of areas that the account has bought. */
export const selectNodeHubs = (accountId: number) =>
  run(
    `select hub, name from routers where id in (select n.router_id from pop_nodes n
     join network_fr_areas a on a.pop_id = n.pop_id where a.account_id = ?)`,
    [accountId],
  )

type Row = Awaited<ReturnType<typeof run>>[number]

function compile(
  hardware: readonly Row[],
  rows: readonly Row[],
  settings: readonly Row[],
  links: readonly Row[],
  nodes: readonly Row[],
): Documents {
  const networks = [...new Set(rows.map((row) => String(row['number'])))].map((number) => {
    const members = rows.filter((row) => row['number'] === number)
    const own = settings.filter((row) => row['number'] === number)
    const network = {
      number,
      ciphers: members[0]?.['ciphers'] as 'default' | 'sm',
      secret: String(members[0]?.['secret']),
      settings: own.filter((row) => row['router_id'] === null).map(toSetting),
      memberSettings: own
        .filter((row) => row['router_id'] !== null)
        .map((row) => ({ ...toSetting(row), routerId: Number(row['router_id']) })),
      pointLinks: links.filter((row) => row['number'] === number).map(toPointLink),
      popNodes: nodes.filter((row) => row['number'] === number).map(toPopNode),
      mode: Number(members[0]?.['mode']),
    }
    return toNetworkRows(network, members.map(toMember))
  })
  return new Map(
    hardware.map(({ hub, name }) => {
      const own = networks.filter((n) => [...n.members, ...(n.popNodes ?? [])].some((m) => m.routerName === name))
      return [String(hub), canonicalJson(compileRouter(String(name), own, toLinkKey))]
    }),
  )
}

const toSetting = (row: Row): SettingRow => ({
  setting: String(row['setting']),
  value: String(row['value']),
  revision: Number(row['revision']),
})

const toPointLink = (row: Row): PointLinkRow => ({
  serverId: Number(row['server_id']),
  clientId: Number(row['client_id']),
  gateway: String(row['gateway']),
  mask: Number(row['mask']),
  port: Number(row['port']),
  clientPort: row['client_port'] === null ? null : Number(row['client_port']),
})

const toPopNode = (row: Row): StoredPopNode => ({
  routerId: Number(row['router_id']),
  routerName: String(row['name']),
  areaId: Number(row['area_id']),
  segmentIndex: Number(row['segment_index']),
  portIndex: Number(row['port_index']),
  bandwidth: Number(row['bandwidth']),
  remoteHost: null,
  probePort: null,
})

const toMember = (row: Row): StoredDocumentMember => ({
  routerId: Number(row['id']),
  routerName: String(row['name']),
  routerType: row['router_type'] as 1 | 2,
  memberType: row['member_type'] as 'center' | 'point',
  segmentIndex: row['segment_index'] as number | null,
  host: Number(row['host']),
  remoteHost: null,
  probePort: null,
  lans: null,
  staticRoutes: String(row['static_routes']),
})

/** The document of one router from the few rows that its hub selects. A point selects itself, its centres and its links' other ends. */
export async function compileSelected(hub: string): Promise<string> {
  const { router, ...rows } = await selectRouter(db, hub)
  for (const { id } of rows.networks) {
    const members = rows.members.filter(({ networkId }) => networkId === id)
    const self = members.find(({ routerName }) => routerName === router!.name)
    if (!self) continue // a node selects all
    const ends = rows.pointLinks.flatMap(({ serverId, clientId }) => [serverId, clientId])
    const isLinked = (m: (typeof members)[number]) => ends.includes(m.routerId) && ends.includes(self.routerId)
    const needed = members.filter(
      (m) => m === self || m.memberType === 'center' || self.memberType === 'center' || isLinked(m),
    )
    expect(members).toEqual(needed)
  }
  const unseen = rows.members.map((member) => ({ ...member, remoteHost: null, probePort: null, lans: null }))
  const networks = toCompilerRows(router!, { ...rows, members: unseen })
  return canonicalJson(compileRouter(router!.name, networks, toLinkKey))
}
