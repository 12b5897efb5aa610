import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { networkApi } from '#contract/network/index.ts'
import { hostName, routerName } from '#infra/lab/bed/plan.ts'
import { SERVICE_ADDRESS, SITES, type SiteName, hostAddress } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { whileCut } from '#infra/lab/packets/cut.ts'
import { startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached, untilUnreached } from './basis.ts'
import { type Check, requireThat } from './check.ts'
import { withLinkReaders } from './link-readers.ts'
import { clearHost, readCarriers, readTunnels } from './router-state.ts'
import { untilOnline } from './stands.ts'
import { ALL, readAllCarriers, requireNoneLost, requireSame, untilOfficeWell } from './unmoved.ts'

/* Checks of operation: what crashes and reboots move, and what comes back. */

const GONE_MS = 2_000
const BACK_MS = 30_000

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

/** A sudden reboot: processes, kernel and the folder in memory are empty. */
async function reboot({ bed, agents }: Lab, site: SiteName): Promise<void> {
  await clearHost(bed, routerName(site))
  rmSync(join(agents.get(site)?.folder ?? '', 'run'), { recursive: true, force: true })
}

const REBOOTED: Check = {
  number: 49,
  title: 'a router that reboots while the service is away comes up from its disk',
  needs: 'linux',
  async run(lab) {
    const { bed, agents, customers } = lab
    await untilReached(bed, 'C', 'D')
    await whileCut(bed, [SITES.C.address, SERVICE_ADDRESS], async () => {
      await reboot(lab, 'C')
      await untilUnreached(bed, 'D', 'C', GONE_MS)
      agents.get('C')?.start()
      await untilReached(bed, 'C', 'D')
      await untilReached(bed, 'D', 'C')
    })
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
  run: (lab) =>
    withLinkReaders(lab, async (untilAgreed) => {
      for (const [program, limitMs] of Object.entries(GAPS)) {
        await untilReached(lab.bed, 'C', 'D')
        await untilAgreed(`before the death of ${program}`)
        const gapMs = await measureGap(lab, program)
        requireThat(
          gapMs <= lab.within(limitMs),
          `${Math.round(gapMs)} ms without an answer after the death of ${program}`,
        )
        await untilAgreed(`after the return of ${program}`)
      }
    }),
}

/** Longest time in ms without an answer from the death of a program at C until it runs and answers come again. */
async function measureGap({ bed }: Lab, program: string): Promise<number> {
  const list = () => readCarriers(bed, 'C').filter((line) => line.startsWith(`${program} `))
  const before = list()
  const pid = Number(before[0]?.split(' ')[1])
  requireThat(pid > 0, `no ${program} runs at C`)
  const pings = startPings(bed, hostName('C'), hostAddress('D'))
  process.kill(pid, 'SIGKILL')
  await poll(`${program} is back`, BACK_MS, list, (now) => now.length === before.length && now.join() !== before.join())
  const answers = pings.received()
  await poll(
    'an answer',
    BACK_MS,
    () => pings.received(),
    (count) => count > answers + 20,
  )
  return (await pings.stop()).largestGapMs
}

export const OPERATION: readonly Check[] = [GIVEN_UP, KILLED_AGENT, REBOOTED, RESPAWNED]
