import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import { toNetworkRows } from '#domain/network/compile/rows.ts'
import type { LinkView, MemberView } from '#contract/kernel/protocol.ts'
import { isPresent } from '#domain/health/member.ts'
import { createLinkKeys } from '#security/device-secrets.ts'
import { type Pages, toLinkFacts } from './compare-pages.ts'
import { type Compare, byName } from './comparison.ts'
import type { ConsoleSocket } from './console-socket.ts'
import type { AccountRows, RouterRow } from './rows.ts'
import type { Fixtures } from './tenants.ts'

/** Compares with the devices themselves: whether each is connected, and its applied document. */
export function compareDevices(
  { devices, neverOn }: Pick<Fixtures, 'devices' | 'neverOn'>,
  rows: AccountRows,
  { listed }: Pages,
  expect: Compare,
): void {
  for (const router of rows.routers.filter(({ routerType }) => routerType === 1)) {
    const { name, status } = router
    const isUp = devices.isUp(name)
    expect(`${name} is connected`, isUp, devices.isRunning(name) && status === 1)
    comparePresence(router, isUp, neverOn.has(name), expect)
    if (!isUp) continue
    const isMember = rows.networks.some(({ members }) => members.some((m) => m.routerName === name))
    if (isMember || !devices.hasNoNetworks(name))
      expect(`document of ${name}`, devices.runningDocument(name), compileDocument(name, rows))
    const { state = 'none', reason } = listed.get(name)?.config ?? {}
    if (isMember || state !== 'none') expect(`configuration of ${name} (${reason})`, state, 'applied')
  }
}

function comparePresence(row: RouterRow, isUp: boolean, wasNeverOn: boolean, expect: Compare): void {
  const { name, status, presence, presenceReason } = row
  if (status === 0) return expect(`presence of the disabled ${name}`, presence, 'disabled')
  expect(`${name} is shown as present (${presence})`, isPresent(presence), isUp)
  if (wasNeverOn) expect(`presence of ${name}, which was never on`, presence, 'never')
  if (presence === 'offline') expect(`${name} is offline for a reason`, presenceReason !== '', true)
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
export function compareSockets(
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
