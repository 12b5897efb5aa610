import type { Output } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { routerApi } from '#contract/router/index.ts'
import { isOnline } from '#domain/health/member.ts'
import { type Compare, byName } from './comparison.ts'
import type { AccountRows, NetworkRow } from './rows.ts'
import type { Session } from './session.ts'

type Status = Pick<Output<typeof networkApi.status>, 'members' | 'link' | 'online'>
type ListedRouter = Output<typeof routerApi.lists>[number]

/** Fresh replies of an account's pages: states of its networks by number, and its routers by name. */
export interface Pages {
  readonly states: ReadonlyMap<string, Status>
  readonly listed: ReadonlyMap<string, ListedRouter>
}

/** Compares lists, details and states of networks and routers with the rows and with each other. */
export async function comparePages(session: Session, rows: AccountRows, expect: Compare): Promise<Pages> {
  return { states: await compareNetworks(session, rows, expect), listed: await compareRouters(session, rows, expect) }
}

async function compareNetworks(session: Session, { networks, routers }: AccountRows, expect: Compare) {
  const online = new Set(
    routers.filter(({ presence, live }) => isOnline({ state: presence, live: live === 1 })).map(({ name }) => name),
  )
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
      return [number, name, status, members.length, members.filter((m) => online.has(m.routerName)).length]
    }),
  )
  const states = new Map<string, Status>()
  for (const network of networks) states.set(network.number, await compareNetwork(session, network, expect))
  return states
}

async function compareNetwork(session: Session, network: NetworkRow, expect: Compare): Promise<Status> {
  const { number } = network
  const { code: statusCode, data: status } = await session.ask(networkApi.status, { network_number: number })
  const { code, data: info } = await session.ask(networkApi.info, { network_number: number })
  expect(`network/info and network/status ${number}`, [code, statusCode], [RESULT.ok, RESULT.ok])
  if (!info || !status) return { members: [], link: [], online: {} }
  expect(
    `network/info ${number}`,
    [info.network_name, info.ncp_ciphers, info.revision, info.network_status, info.member_count],
    [network.name, network.ciphers, network.revision, network.status, network.members.length],
  )
  const members = byName(info.member, (m) => m.router_name)
  expect(
    `members of network/info ${number}`,
    members.map((m) => [m.router_name, m.member_type, m.router_type]),
    byName(network.members, (m) => m.routerName).map((m) => [m.routerName, m.memberType, m.routerType]),
  )
  expect(
    `members of network/status ${number}`,
    byName(status.members, (m) => m.router_name).map((m) => [m.router_name, m.presence, m.config]),
    members.map((m) => [m.router_name, m.presence, m.config]),
  )
  expect(
    `online of network/status ${number}`,
    byName(Object.entries(status.online), ([name]) => name),
    members.map((m) => [m.router_name, m.online]),
  )
  compareLinks(number, info, status, expect)
  return status
}

function compareLinks(number: string, info: Output<typeof networkApi.info>, status: Status, expect: Compare): void {
  const points = info.member.filter((m) => m.member_type === 'point' && m.router_type === 1)
  const centers = info.member.filter((m) => m.member_type === 'center')
  const links = byName(status.link, ({ id }) => id)
  expect(
    `links of network/status ${number}`,
    links.map(({ id }) => id),
    points.flatMap((p) => centers.map((c) => `${number}:${p.router_name}>${c.router_name}`)).toSorted(),
  )
  expect(`links of network/info ${number}`, byName(info.link, ({ id }) => id).map(toLinkFacts), links.map(toLinkFacts))
  const online = new Set(info.member.filter((m) => m.online === 1).map((m) => m.router_name))
  expect(
    `states of the links of ${number}`,
    links.map(({ id, state, reason }) => [id, state === 'up', reason]),
    links.map((link) => [link.id, online.has(link.router_name) && online.has(link.center_router_name), link.reason]),
  )
}

/** Without the round-trip time, which changes with each probe. */
export function toLinkFacts({ id, router_name, center_router_name, state, since, reason }: LinkView) {
  return [id, router_name, center_router_name, state, since, reason]
}

async function compareRouters(session: Session, { networks, routers }: AccountRows, expect: Compare) {
  const listed: ListedRouter[] = []
  for (const type of [1, 2]) {
    const { data } = await session.ask(routerApi.lists, { page: 1, limit: 100, type })
    listed.push(...(data ?? []))
  }
  const numbersOf = (name: string) =>
    networks.filter(({ members }) => members.some((m) => m.routerName === name)).map(({ number }) => number)
  expect(
    'router/lists',
    byName(listed, (row) => row.router_name).map(({ router_name, note, status, presence, network_count }) => {
      return [router_name, note, status, presence.state, presence.reason, network_count]
    }),
    byName(routers, (row) => row.name).map(({ name, note, status, presence, presenceReason }) => {
      return [name, note, status, presence, presenceReason, numbersOf(name).length]
    }),
  )
  for (const { router_name, presence, config } of listed) {
    const { data } = await session.ask(routerApi.info, { router_name })
    expect(
      `router/info ${router_name}`,
      [data?.presence, data?.config, data?.network.map((n) => n.network_number).toSorted()],
      [presence, config, numbersOf(router_name).toSorted()],
    )
  }
  return new Map(listed.map((row) => [row.router_name, row]))
}
