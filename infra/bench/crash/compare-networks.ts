import type { Output } from '#contract/kernel/endpoint.ts'
import { RESULT } from '#contract/kernel/result.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { isOnline } from '#domain/health/member.ts'
import type { Session } from './api.ts'
import { type Compare, byName } from './comparison.ts'
import type { AccountRows, NetworkRow, RouterRow } from './rows.ts'
import { networkApi } from '#contract/network/index.ts'

export type Status = Pick<Output<typeof networkApi.status>, 'members' | 'link' | 'online'>

/** network/lists, network/info and network/status with the rows and with each other. Returns the states by number. */
export async function compareNetworks(
  session: Session,
  { networks, routers }: AccountRows,
  expect: Compare,
): Promise<Map<string, Status>> {
  const online = new Set(routers.filter(isRowOnline).map(({ name }) => name))
  const lists = await session.ask(networkApi.lists, { page: 1, limit: 100 })
  expect(
    'network/lists',
    byName(lists.data ?? [], (row) => row.network_number).map((row) => [
      row.network_number,
      row.network_name,
      row.network_status,
      row.member_count,
      row.online_count,
    ]),
    byName(networks, (row) => row.number).map(({ number, name, status, members }) => {
      return [number, name, status, members.length, members.filter((m) => online.has(m.name)).length]
    }),
  )
  const states = new Map<string, Status>()
  for (const network of networks) states.set(network.number, await compareNetwork(session, network, expect))
  return states
}

const isRowOnline = ({ presence, live }: RouterRow): boolean => isOnline({ state: presence, live: live === 1 })

async function compareNetwork(session: Session, network: NetworkRow, expect: Compare): Promise<Status> {
  const { number } = network
  const status = await session.ask(networkApi.status, { network_number: number })
  const info = await session.ask(networkApi.info, { network_number: number })
  expect(`network/info and network/status ${number}`, [info.code, status.code], [RESULT.ok, RESULT.ok])
  if (!info.data || !status.data) return { members: [], link: [], online: {} }
  const { data: shown } = info
  expect(
    `network/info ${number}`,
    [shown.network_name, shown.ncp_ciphers, shown.revision, shown.network_status, shown.member_count],
    [network.name, network.ciphers, network.revision, network.status, network.members.length],
  )
  const rows = byName(network.members, (m) => m.name).map((m) => [m.name, m.memberType, m.routerType])
  const members = byName(shown.member, (m) => m.router_name)
  expect(
    `members of network/info ${number}`,
    members.map((m) => [m.router_name, m.member_type, m.router_type]),
    rows,
  )
  expect(
    `members of network/status ${number}`,
    byName(status.data.members, (m) => m.router_name).map((m) => [m.router_name, m.presence, m.config]),
    members.map((m) => [m.router_name, m.presence, m.config]),
  )
  expect(
    `online of network/status ${number}`,
    byName(Object.entries(status.data.online), ([name]) => name),
    members.map((m) => [m.router_name, m.online]),
  )
  const points = members.filter((m) => m.member_type === 'point' && m.router_type === 1)
  const centers = members.filter((m) => m.member_type === 'center')
  const links = byName(status.data.link, ({ id }) => id)
  expect(
    `links of network/status ${number}`,
    links.map(({ id }) => id),
    points.flatMap((p) => centers.map((c) => `${number}:${p.router_name}>${c.router_name}`)).toSorted(),
  )
  expect(`links of network/info ${number}`, byName(shown.link, ({ id }) => id).map(toLinkFacts), links.map(toLinkFacts))
  const online = new Set(members.filter((m) => m.online === 1).map((m) => m.router_name))
  const expected = (id: (typeof links)[number]) =>
    online.has(id.router_name) && online.has(id.center_router_name) ? 'up' : 'not up'
  expect(
    `states of the links of ${number}`,
    links.map((link) => [link.id, link.state === 'up' ? 'up' : 'not up', link.reason]),
    links.map((link) => [link.id, expected(link), link.reason]),
  )
  return status.data
}

/** Without the round-trip time, which changes with each probe. */
export const toLinkFacts = ({ id, router_name, center_router_name, state, since, reason }: LinkView) => [
  [id, router_name, center_router_name, state, since, reason],
]
