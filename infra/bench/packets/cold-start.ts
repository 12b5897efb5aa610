import { hostName } from '#infra/lab/bed/plan.ts'
import { type SiteName, hostAddress } from '#infra/lab/bed/sites.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { ALL as ROUTERS, untilOfficeWell } from '#tests/lab/unmoved.ts'
import type { Finding } from '../report.ts'
import { startByHand, switchAllOff } from './network-by-hand.ts'
import { MOVES, type Rounds } from './rounds.ts'

/*
 * Time from the start of four agents at once, with nothing but their state on the disk, until the hosts of every pair of LANs
 * reach each other. The peer starts the same programs with the same files by hand, in the right order.
 */

const BUDGET_S = 12
const RATIO = 2
const REACHED_MS = 60_000

export const benchColdStart = (lab: Lab, rounds: Rounds): Promise<readonly Finding[]> =>
  rounds(async () => {
    const routers = await switchAllOff(lab)
    const peer = await measureStart(lab, () => startByHand(lab, routers))
    await switchAllOff(lab)
    const ours = await measureStart(lab, async () => ROUTERS.forEach((site) => lab.agents.get(site)?.start()))
    await untilOfficeWell(lab)
    return [
      { what: 'four cold routers → every pair', value: ours, unit: 's', budget: BUDGET_S, ...MOVES },
      { what: 'four cold routers by hand', value: peer, unit: 's' },
      { what: 'four cold routers, ratio', value: ours / peer, unit: '', budget: RATIO, ...MOVES },
    ]
  })

const PAIRS: readonly (readonly [SiteName, SiteName])[] = ROUTERS.flatMap((from, n) =>
  ROUTERS.slice(n + 1).map((to) => [from, to] as const),
)

/** Seconds from a start until each pair of hosts had an answer. */
async function measureStart({ bed }: Lab, start: () => Promise<void>): Promise<number> {
  const streams = PAIRS.map(([from, to]) => ({ from, to, pings: startPings(bed, hostName(from), hostAddress(to)) }))
  const startedAt = performance.now()
  try {
    await start()
    await poll(
      'every pair of hosts reaches each other',
      REACHED_MS,
      () => streams.flatMap(({ from, to, pings }) => (pings.received() > 0 ? [] : [`${from} ${to}`])),
      (rest) => rest.length === 0,
    )
    return (performance.now() - startedAt) / 1000
  } finally {
    await Promise.all(streams.map(({ pings }) => pings.stop()))
  }
}
