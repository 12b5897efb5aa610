import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { networkApi } from '#contract/network/index.ts'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { killAll } from '#infra/lab/bed/namespaces.ts'
import { hostName, routerName } from '#infra/lab/bed/plan.ts'
import { SERVICE_ADDRESS, SITES, type SiteName, hostAddress } from '#infra/lab/bed/sites.ts'
import { type Customer, OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { cutOff } from '#infra/lab/packets/cut.ts'
import { type PingResult, startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached, untilUnreached } from './basis.ts'
import { type Check, requireThat } from './check.ts'
import { readCarriers, readRules, readTunnels } from './router-state.ts'
import { untilOnline, untilWell } from './stands.ts'

/* Checks of operation: what changes, crashes and removals move, and what they leave alone. */

const GONE_MS = 2_000
const CLEAN_MS = 15_000
const BACK_MS = 30_000
const ALL: readonly SiteName[] = ['A', 'B', 'C', 'D']

const readAllCarriers = (bed: Bed) => ALL.map((site) => `${site}: ${readCarriers(bed, site).join(', ')}`)

/** The last answer may be on its way. */
function requireNoneLost({ sent, received }: PingResult): void {
  requireThat(received > 0 && sent - received <= 1, `${sent - received} of ${sent} pings lost`)
}

function requireSame(before: readonly string[], after: readonly string[]): void {
  const moved = after.filter((line, n) => line !== before[n])
  requireThat(moved.length === 0, `processes moved: ${moved.join('; ')}`)
}

const untilOfficeWell = ({ customers: [customer] }: Lab) => untilWell(customer, OFFICE.name)

/** Waits until agents have received and applied what a change sends them. */
export async function untilReceived(
  lab: Lab,
  sites: readonly SiteName[],
  change: () => Promise<unknown>,
): Promise<void> {
  const count = () => sites.map((site) => lab.agents.get(site)?.documents() ?? 0)
  const before = count()
  await change()
  await poll('the agents receive the change', BACK_MS, count, (now) => now.every((one, n) => one > (before[n] ?? 0)))
  await untilOfficeWell(lab)
}

/** Sends a device its configuration again, and waits for its result. */
async function sendAgain(customer: Customer, site: SiteName): Promise<void> {
  const { call, network_number, name } = officeOf(customer)
  const job = await call(networkApi.reSendConfig, { network_number, router_name: name(site) })
  requireThat(job !== null, 'no job')
  await poll(
    `${site} has its configuration again`,
    BACK_MS,
    () => call(networkApi.job, { network_number, job_id: job.job_id }),
    ({ state }) => state === 'done',
  )
}

const REMOVED: Check = {
  number: 42,
  title: 'a removed member is refused within 2 s, and no tunnel, process, rule or route of the network is left on it',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    const { call, network_number, name } = officeOf(customers[0])
    await untilReached(bed, 'C', 'D')
    await call(networkApi.removeMember, { network_number, router_name: name('D'), confirm: 1 })
    try {
      await untilUnreached(bed, 'C', 'D', lab.within(GONE_MS))
      await poll(
        'nothing of the network is left on D',
        CLEAN_MS,
        async () => [
          ...(await readTunnels(bed, 'D')).keys(),
          ...readCarriers(bed, 'D').filter((line) => line.startsWith('openvpn')),
          ...(await readRules(bed, 'D')),
        ],
        (left) => left.length === 0,
      )
    } finally {
      await call(networkApi.addMember, { network_number, router_name: name('D'), member_type: 'point' })
    }
    await untilOfficeWell(lab)
    await untilReached(bed, 'C', 'D')
  },
}

const UNTOUCHED: Check = {
  number: 45,
  title: 'the configuration sent again and a prefix row lose no ping and move no process',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    const { call, network_number } = officeOf(customers[0])
    const rows = (names: readonly string[]) =>
      call(networkApi.editPrefix, {
        network_number,
        prefix: names.map((name, n) => ({ ip: `10.${n}.0.0`, mask: n === 0 ? 8 : 16, ge: 16, le: 32, name })),
      })
    await untilReached(bed, 'C', 'D')
    const before = readAllCarriers(bed)
    const pings = startPings(bed, hostName('C'), hostAddress('D'))
    for (const site of ALL) await sendAgain(customers[0], site)
    await untilReceived(lab, OFFICE.center, () => rows(['全部']))
    await untilReceived(lab, OFFICE.center, () => rows([]))
    requireNoneLost(await pings.stop())
    requireSame(before, readAllCarriers(bed))
  },
}

const KILLS = 5
const GIVES_UP_MS = 60_000

const GIVEN_UP: Check = {
  number: 44,
  title:
    'a tunnel whose process is killed five times stays down with its reason, and a restart of the tunnels brings it up',
  needs: 'linux',
  async run(lab) {
    const { bed, agents, customers } = lab
    const { call, network_number, name } = officeOf(customers[0])
    const agent = agents.get('C')
    const list = () => readCarriers(bed, 'C').filter((line) => line.startsWith('openvpn '))
    await untilReached(bed, 'C', 'D')
    const before = list()
    const others = new Set(before.slice(1))
    const readVictim = () => list().filter((line) => !others.has(line))
    let killed = ''
    const tunnels = (await readTunnels(bed, 'C')).size
    for (let n = 0; n < KILLS; n++) {
      const [victim = ''] = await poll(
        'the tunnel runs',
        GIVES_UP_MS,
        readVictim,
        ([one]) => one !== undefined && one !== killed,
      )
      // killed at its very start it would be a failed start, and no exit
      await poll(
        'the tunnel has its address',
        GIVES_UP_MS,
        () => readTunnels(bed, 'C'),
        ({ size }) => size === tunnels,
      )
      process.kill(Number(victim.split(' ')[1]), 'SIGKILL')
      killed = victim
    }
    await poll('the agent gives up', GIVES_UP_MS, () => agent?.hasLogged('respawn_limit') ?? false, Boolean)
    requireThat(readVictim().length === 0, 'the tunnel runs still')
    await untilReached(bed, 'C', 'D')
    await call(networkApi.resetRespawn, { network_number, router_name: name('C') })
    await poll('the tunnel runs again', BACK_MS, readVictim, (now) => now.length === 1)
    await untilOfficeWell(lab)
  },
}

const KILLED_AGENT: Check = {
  number: 47,
  title: 'agents killed under traffic lose no packet, and adopt the processes that they find',
  needs: 'linux',
  async run(lab) {
    const { bed, agents, customers } = lab
    await untilReached(bed, 'C', 'D')
    const before = readAllCarriers(bed)
    const pings = startPings(bed, hostName('C'), hostAddress('D'))
    const connections = ALL.map((site) => agents.get(site)?.connections() ?? 0)
    for (const site of ALL) await agents.get(site)?.end('SIGKILL')
    requireSame(before, readAllCarriers(bed))
    for (const site of ALL) agents.get(site)?.start()
    await poll(
      'the agents are connected again',
      BACK_MS,
      () => ALL.map((site) => agents.get(site)?.connections() ?? 0),
      (counts) => counts.every((count, n) => count > (connections[n] ?? 0)),
    )
    await untilOnline(customers[0])
    await untilOfficeWell(lab)
    requireNoneLost(await pings.stop())
    requireSame(before, readAllCarriers(bed))
  },
}

/** Takes away what a sudden reboot does: processes, interfaces, rules, the agent's packet filter, and the folder in memory. */
async function reboot({ bed, agents }: Lab, site: SiteName): Promise<void> {
  const router = routerName(site)
  await killAll(() => [...bed.processes(router).keys()])
  for (const tunnel of (await readTunnels(bed, site)).keys()) await bed.run(router, ['ip', 'link', 'delete', tunnel])
  for (const argv of [
    ['ip', 'rule', 'flush'],
    ['ip', 'rule', 'add', 'priority', '32766', 'lookup', 'main'],
    ['ip', 'rule', 'add', 'priority', '32767', 'lookup', 'default'],
    ['ip', 'route', 'flush', 'table', '200'],
    ['nft', 'delete', 'table', 'inet', 'netloom'],
  ])
    await bed.run(router, argv)
  rmSync(join(agents.get(site)?.folder ?? '', 'run'), { recursive: true, force: true })
}

const REBOOTED: Check = {
  number: 49,
  title: 'a router that reboots while the service is away comes up from its disk',
  needs: 'linux',
  async run(lab) {
    const { bed, agents, customers } = lab
    await untilReached(bed, 'C', 'D')
    const cut = await cutOff(bed, SITES.C.address, SERVICE_ADDRESS)
    try {
      await reboot(lab, 'C')
      await untilUnreached(bed, 'D', 'C', GONE_MS)
      agents.get('C')?.start()
      await untilReached(bed, 'C', 'D')
      await untilReached(bed, 'D', 'C')
    } finally {
      await cut.mend()
    }
    await untilOnline(customers[0])
    await untilOfficeWell(lab)
  },
}

/** Longest gap after the death of each program at a point, in ms. */
const GAPS = { zebra: 4_000, bgpd: 6_000, openvpn: 3_000 } as const

const RESPAWNED: Check = {
  number: 50,
  title: 'zebra, bgpd and an openvpn that are killed come back, with gaps of at most 4, 6 and 3 s',
  needs: 'linux',
  async run({ bed, within }) {
    for (const [program, limitMs] of Object.entries(GAPS)) {
      await untilReached(bed, 'C', 'D')
      const list = () => readCarriers(bed, 'C').filter((line) => line.startsWith(`${program} `))
      const before = list()
      const pid = Number(before[0]?.split(' ')[1])
      requireThat(pid > 0, `no ${program} runs at C`)
      const pings = startPings(bed, hostName('C'), hostAddress('D'))
      process.kill(pid, 'SIGKILL')
      await poll(
        `${program} is back`,
        BACK_MS,
        list,
        (now) => now.length === before.length && now.join() !== before.join(),
      )
      const answers = pings.received()
      await poll(
        'an answer',
        BACK_MS,
        () => pings.received(),
        (count) => count > answers + 20,
      )
      const { largestGapMs } = await pings.stop()
      requireThat(
        largestGapMs <= within(limitMs),
        `${Math.round(largestGapMs)} ms without an answer after the death of ${program}`,
      )
    }
  },
}

export const OPERATION: readonly Check[] = [REMOVED, GIVEN_UP, UNTOUCHED, KILLED_AGENT, REBOOTED, RESPAWNED]
