import type { Output } from '#contract/kernel/endpoint.ts'
import type { LinkView, MemberView, PresenceState } from '#contract/kernel/protocol.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { isOnline, isPresent } from '#domain/health/member.ts'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import { toNetworkRows } from '#domain/network/compile/rows.ts'
import { createLinkKeys } from '#security/device-secrets.ts'
import type { ConsoleSocket } from './console-socket.ts'
import type { SimulatedDevices } from './devices.ts'
import type { AccountRows, NetworkRow } from './rows.ts'
import type { Session } from './session.ts'

type Compare = (what: string, actual: unknown, expected: unknown) => void
type Status = Pick<Output<typeof networkApi.status>, 'members' | 'link' | 'online'>
type ListedRouter = Output<typeof routerApi.lists>[number]

/** Fresh replies of an account's pages: states of its networks by number, and its routers by name. */
interface Pages {
  readonly states: ReadonlyMap<string, Status>
  readonly listed: ReadonlyMap<string, ListedRouter>
}

interface Account {
  readonly session: Session
  readonly sockets: readonly ConsoleSocket[]
  readonly devices: SimulatedDevices
  readonly rows: AccountRows
  readonly endedSessions: ReadonlySet<string>
}

/** Differences of an account's pages, open sockets and devices from its rows and from each other. */
export async function compareAccount({ session, sockets, devices, rows, endedSessions }: Account): Promise<string[]> {
  const differences: string[] = []
  const expect = createComparison(differences)
  const pages = { states: await readNetworks(session, rows, expect), listed: await readRouters(session, rows, expect) }
  compareDevices(devices, rows, pages, expect)
  compareSockets(sockets, endedSessions, rows, pages, expect)
  return differences
}

const TEXT_MAX = 1_000

/** Adds each difference to `differences`; of lists only the items that differ. */
function createComparison(differences: string[]): Compare {
  return (what, actual, expected) => {
    if (toText(actual) === toText(expected)) return
    const without = (list: unknown, other: unknown) =>
      Array.isArray(list) && Array.isArray(other)
        ? toText(list.filter((item) => !other.some((one) => toText(one) === toText(item))))
        : toText(list)
    const [extra, missing] = [without(actual, expected), without(expected, actual)]
    differences.push(`${what}: ${extra.slice(0, TEXT_MAX)} instead of ${missing.slice(0, TEXT_MAX)}`)
  }
}

/** A hub sends others no change of `last_seen` alone, and no page shows it of a router that is present. */
const toText = (value: unknown): string => {
  const isOutdated = (item: unknown) => isPresent((item as { readonly state?: PresenceState }).state ?? 'never')
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && 'last_seen' in item && isOutdated(item)
      ? { ...item, last_seen: null }
      : item,
  )
  return String(text)
}

const byName = <T>(items: Iterable<T>, toName: (item: T) => string): T[] =>
  [...items].toSorted((a, b) => (toName(a) < toName(b) ? -1 : 1))

async function readNetworks(session: Session, { networks, routers }: AccountRows, expect: Compare) {
  const online = new Set(
    routers.filter(({ presence, live }) => isOnline({ state: presence, live: live === 1 })).map(({ name }) => name),
  )
  const { data } = await session.ask(networkApi.lists, { page: 1, limit: 100 })
  expect(
    'network/lists',
    byName(data ?? [], (row) => row.network_number).map((row) => {
      return [row.network_number, row.network_name, row.network_status, row.member_count, row.online_count]
    }),
    byName(networks, (row) => row.number).map(({ number, name, status, members }) => {
      return [number, name, status, members.length, members.filter((m) => online.has(m.routerName)).length]
    }),
  )
  const states = new Map<string, Status>()
  for (const network of networks) states.set(network.number, await readNetwork(session, network, expect))
  return states
}

async function readNetwork(session: Session, network: NetworkRow, expect: Compare): Promise<Status> {
  const { number } = network
  const { data: status } = await session.ask(networkApi.status, { network_number: number })
  const { data: info } = await session.ask(networkApi.info, { network_number: number })
  expect(`network/info and network/status ${number} answer`, [info !== null, status !== null], [true, true])
  if (!info || !status) return { members: [], link: [], online: {} }
  const members = byName(info.member, (m) => m.router_name)
  expect(
    `network/info ${number}`,
    [info.network_name, info.ncp_ciphers, info.revision, info.network_status, info.member_count],
    [network.name, network.ciphers, network.revision, network.status, network.members.length],
  )
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
  const links = byName(status.link, ({ id }) => id)
  const facts = byName(info.link, ({ id }) => id).map(toLinkFacts)
  expect(`links of network/info ${number}`, facts, links.map(toLinkFacts))
  const points = info.member.filter((m) => m.member_type === 'point' && m.router_type === 1)
  const centers = info.member.filter((m) => m.member_type === 'center')
  const expected = points.flatMap((point) =>
    centers.map((center) => {
      return [`${number}:${point.router_name}>${center.router_name}`, point.online === 1 && center.online === 1]
    }),
  )
  expect(
    `links of network/status ${number} that are up`,
    links.map(({ id, state }) => [id, state === 'up']),
    byName(expected, ([id]) => String(id)),
  )
}

/** Without the round-trip time, which changes with each probe. */
function toLinkFacts({ id, router_name, center_router_name, state, since, reason }: LinkView) {
  return [id, router_name, center_router_name, state, since, reason]
}

async function readRouters(session: Session, { networks, routers }: AccountRows, expect: Compare) {
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

/** Compares with the devices themselves: whether each is connected, and its applied document. */
function compareDevices(devices: SimulatedDevices, rows: AccountRows, { listed }: Pages, expect: Compare): void {
  for (const { name, status, presence } of rows.routers.filter(({ routerType }) => routerType === 1)) {
    const isUp = devices.isUp(name)
    expect(`${name} is connected`, isUp, devices.isRunning(name) && status === 1)
    if (status === 0) expect(`presence of the disabled ${name}`, presence, 'disabled')
    else expect(`${name} is shown as present (${presence})`, isPresent(presence), isUp)
    if (!isUp) continue
    const isMember = rows.networks.some(({ members }) => members.some((m) => m.routerName === name))
    if (isMember || !devices.hasNoNetworks(name))
      expect(`document of ${name}`, devices.runningDocument(name), compileDocument(name, rows))
    const { state = 'none', reason } = listed.get(name)?.config ?? {}
    if (isMember || state !== 'none') expect(`configuration of ${name} (${reason})`, state, 'applied')
  }
}

/** Canonical document of a router, compiled from all rows of its account: hubs read only a part of them. */
function compileDocument(name: string, { networks }: AccountRows): string {
  const own = networks.filter(({ members }) => members.some((m) => m.routerName === name))
  const rows = own.map((network) => {
    const members = network.members.filter((m) => m.routerType === 1 || m.status === 1)
    return toNetworkRows(network, members)
  })
  return canonicalJson(compileRouter(name, rows, createLinkKeys()))
}

/** Compares each open socket with a page that is read now; one whose session or object is gone has to be closed. */
function compareSockets(
  sockets: readonly ConsoleSocket[],
  endedSessions: ReadonlySet<string>,
  rows: AccountRows,
  pages: Pages,
  expect: Compare,
): void {
  const hubs = new Set([...rows.networks, ...rows.routers].map((row) => row.hub))
  for (const socket of sockets) {
    const { target, session, hub } = socket
    const { kind, ...names } = target
    const name = `${kind} socket ${Object.values(names).join('')}`
    const isAlive = !endedSessions.has(session.id) && (target.kind === 'account' || hubs.has(hub))
    // A router that was claimed again: its page shows the present one or has ended, depending on what it saw.
    const isClaimedAgain = target.kind === 'router' && !hubs.has(hub) && pages.listed.has(target.router_name)
    if (!isClaimedAgain) expect(`${name} of ${session.id}`, socket.phase, isAlive ? 'open' : 'ended')
    if (socket.phase === 'open') compareSocket(name, socket, pages, expect)
  }
}

function compareSocket(name: string, socket: ConsoleSocket, { states, listed }: Pages, expect: Compare): void {
  const { target } = socket
  if (target.kind === 'network') {
    const { members = [], link = [] } = states.get(target.network_number) ?? {}
    const sorted = (of: Iterable<MemberView>) => byName(of, (m) => m.router_name)
    const facts = (of: Iterable<LinkView>) => byName(of, ({ id }) => id).map(toLinkFacts)
    expect(`members of the ${name}`, sorted(socket.members.values()), sorted(members))
    expect(`links of the ${name}`, facts(socket.links.values()), facts(link))
  }
  if (target.kind === 'router') {
    const row = listed.get(target.router_name)
    expect(`state of the ${name}`, [socket.router?.presence, socket.router?.config], [row?.presence, row?.config])
  }
  for (const [router, shown] of socket.routers) {
    const row = listed.get(router)
    if (row?.create_time !== shown.createTime) continue // deleted, or claimed again: the lists are read anew
    expect(`${router} on the ${name}`, [shown.presence, shown.config], [row.presence, row.config])
  }
}
