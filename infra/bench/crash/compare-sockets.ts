import { type Status, toLinkFacts } from './compare-networks.ts'
import type { Listed } from './compare-routers.ts'
import { type Compare, byName } from './comparison.ts'
import type { ConsoleSocket } from './console-socket.ts'
import type { AccountRows } from './rows.ts'

/** What the lists and network/status have just answered. */
export interface Fresh {
  readonly rows: AccountRows
  readonly states: ReadonlyMap<string, Status>
  readonly listed: ReadonlyMap<string, Listed>
}

/** Each open socket shows what a page would read now; one whose session or object is gone is closed. */
export function compareSockets(
  sockets: readonly ConsoleSocket[],
  endedSessions: ReadonlySet<string>,
  fresh: Fresh,
  expect: Compare,
): void {
  const hubs = new Set([...fresh.rows.networks, ...fresh.rows.routers].map((row) => row.hub))
  for (const socket of sockets) {
    const { target, session, hub } = socket
    const { kind, ...names } = target
    const name = `${kind} socket ${Object.values(names).join('')}`
    const isAlive = !endedSessions.has(session.id) && (target.kind === 'account' || hubs.has(hub))
    // A router that was claimed again: whether its page saw it go or not, it shows the present one or has ended.
    const isClaimedAgain = target.kind === 'router' && !hubs.has(hub) && fresh.listed.has(target.router_name)
    if (!isClaimedAgain) expect(`${name} of ${session.id}`, socket.phase, isAlive ? 'open' : 'ended')
    if (socket.phase === 'open') compareSocket(name, socket, fresh, expect)
  }
}

function compareSocket(name: string, socket: ConsoleSocket, { states, listed }: Fresh, expect: Compare): void {
  const { target } = socket
  if (target.kind === 'network') {
    const status = states.get(target.network_number)
    expect(
      `members of the ${name}`,
      byName(socket.members.values(), (m) => m.router_name),
      byName(status?.members ?? [], (m) => m.router_name),
    )
    expect(
      `links of the ${name}`,
      byName(socket.links.values(), ({ id }) => id).map(toLinkFacts),
      byName(status?.link ?? [], ({ id }) => id).map(toLinkFacts),
    )
  }
  if (target.kind === 'router') {
    const row = listed.get(target.router_name)
    expect(`state of the ${name}`, [socket.router?.presence, socket.router?.config], [row?.presence, row?.config])
  }
  if (target.kind === 'account') {
    for (const [router, shown] of socket.routers) {
      const row = listed.get(router)
      if (row?.create_time !== shown.createTime) continue // deleted, or claimed again: the lists are read anew
      expect(`${router} on the ${name}`, [shown.presence, shown.config], [row.presence, row.config])
    }
  }
}
