import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { SERVICE_ADDRESS, SITES, hostAddress } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { LabAgent } from '#infra/lab/agents.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { mute } from '#infra/lab/packets/cut.ts'
import { type PingStream, startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached, untilUnreached } from './basis.ts'
import { type Check, requireThat } from './check.ts'
import { untilOnline } from './stands.ts'
import { ALL, readAllCarriers, requireNoneLost, requireSame, untilOfficeWell } from './unmoved.ts'

/* Checks of the service: a document with which a router no longer reaches it, and a service that is away or has lost its rows. */

const APPLIED_MS = 12_000
const REVERTED_MS = 40_000
const BACK_MS = 90_000

const REVERTED: Check = {
  number: 46,
  title: 'a document with which the router no longer reaches the service is taken back, and packets pass as before',
  needs: 'linux',
  async run(lab) {
    const { bed, agents, customers } = lab
    const { call, name } = officeOf(customers[0])
    const { via, segment } = SITES.C.switched ?? { via: '', segment: '' }
    const set = (routes: { prefix: string; mask: number; via: string }[]) =>
      call(routerApi.staticRoutes, { router_name: name('C'), routes })
    await untilReached(bed, 'D', 'C')
    await untilUnreached(bed, 'D', 'Cs')
    const before = readAllCarriers(bed)
    const pings = startPings(bed, hostName('C'), hostAddress('D'))
    // the document still comes; neither its result nor a new connection gets to the service
    const muted = await mute(bed, SITES.C.address, SERVICE_ADDRESS)
    try {
      await set([{ prefix: segment.replace('/24', ''), mask: 24, via }])
      await untilReached(bed, 'D', 'Cs', lab.within(APPLIED_MS))
      await untilUnreached(bed, 'D', 'Cs', lab.within(REVERTED_MS))
      await untilReached(bed, 'D', 'C')
      await muted.mend()
      await poll('the agent reports it', BACK_MS, () => agents.get('C')?.hasLogged(' reverted: ') ?? false, Boolean)
      requireNoneLost(await pings.stop())
    } finally {
      await muted.mend().catch(() => {}) // mended already
      await set([])
    }
    await untilOnline(customers[0])
    await untilOfficeWell(lab)
    requireSame(before, readAllCarriers(bed))
  },
}

const AWAY_MS = 60_000
const PINGS_MS = 50

/** Waits for answers of a time. */
const untilAnswers = (pings: PingStream, timeMs: number) => {
  const wanted = pings.received() + timeMs / PINGS_MS
  return poll(
    `answers of ${timeMs / 1000} s`,
    2 * timeMs,
    () => pings.received(),
    (count) => count >= wanted,
  )
}

/** Copies the data of the stack without the rows of its database: hubs have their states still. */
function copyWithoutRows({ folder, stack }: Lab): string {
  const copy = join(folder, 'stack-empty')
  cpSync(stack.data, copy, { recursive: true })
  rmSync(join(copy, 'state', 'd1'), { recursive: true, force: true })
  return copy
}

/** Reads link states until all are up. None may be one that the routers never had. */
async function untilUpWithoutDown({ customers: [customer] }: Lab): Promise<void> {
  const { call, network_number } = officeOf(customer)
  await poll(
    'all links are up',
    BACK_MS,
    async () => {
      const { link } = await call(networkApi.status, { network_number })
      const down = link.filter(({ state }) => state === 'down')
      requireThat(down.length === 0, `${down.map((one) => one.router_name).join(', ')}: down, which no link was`)
      return link.map(({ state }) => state)
    },
    (states) => states.length > 0 && states.every((state) => state === 'up'),
  )
}

const AWAY: Check = {
  number: 48,
  title: 'the service away for 60 s, back with an empty database and then with its own, loses no packet and no state',
  needs: 'linux',
  async run(lab) {
    const { bed, stack, agents, customers } = lab
    const { data } = stack
    await untilReached(bed, 'C', 'D')
    const before = readAllCarriers(bed)
    const sumOf = (agent?: LabAgent) => (agent ? agent.connections() + agent.refusals() : 0)
    const answers = () => ALL.map((site) => sumOf(agents.get(site)))
    const connections = () => [...agents.values()].map((agent) => agent.connections())
    const isMore = (earlier: readonly number[]) => (now: readonly number[]) =>
      now.every((count, n) => count > (earlier[n] ?? 0))
    const pings = startPings(bed, hostName('C'), hostAddress('D'))
    // a router with a return ticket is let in by its hub, which keeps its document; the others are refused
    const requireUnmovedWithoutRows = async (earlier: readonly number[]) => {
      await poll('the service without rows answers each router', lab.within(BACK_MS), answers, isMore(earlier))
      await untilAnswers(pings, 2_000)
      requireSame(before, readAllCarriers(bed))
      return connections()
    }
    let answered: readonly number[] = []
    await stack.pause(async () => {
      await untilAnswers(pings, AWAY_MS)
      answered = answers() // some come back before the service is known to be ready
      return copyWithoutRows(lab)
    })
    const connected = await requireUnmovedWithoutRows(answered).finally(() => stack.pause(() => Promise.resolve(data)))
    await untilUpWithoutDown(lab)
    await poll('each router is connected anew', lab.within(BACK_MS), connections, isMore(connected)) // online is kept for a lease
    await untilOnline(customers[0])
    await untilOfficeWell(lab)
    requireNoneLost(await pings.stop())
    requireSame(before, readAllCarriers(bed))
  },
}

export const SERVICE: readonly Check[] = [REVERTED, AWAY]
