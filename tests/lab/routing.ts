import { networkApi } from '#contract/network/index.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { SITES, type SiteName, hostAddress } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { startCapture } from '#infra/lab/packets/capture.ts'
import { cutOff } from '#infra/lab/packets/cut.ts'
import { startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import { type Check, requireThat } from './check.ts'

/* Checks of routing: the centre that carries, and what happens when it is cut. */

/** Longer than packets that tunnels, BGP and BFD send by themselves. */
const LARGE_BYTES = 900
const LOOK_ANSWERS = 10
const LOOK_MS = 10_000
const SETTLED_MS = 60_000
const FAILOVER_MS = 2_000

/** Centres to which the router of a site sends large packets of its host. */
async function findCarriers({ bed, folder }: Lab, site: SiteName, to: string): Promise<readonly SiteName[]> {
  const capture = await startCapture(bed, folder, {
    filter: ['greater', String(LARGE_BYTES), 'and', 'src', 'host', SITES[site].address],
  })
  const pings = startPings(bed, hostName(site), hostAddress(to), LARGE_BYTES)
  await poll(
    `${LOOK_ANSWERS} answers`,
    LOOK_MS,
    () => pings.received(),
    (count) => count >= LOOK_ANSWERS,
  )
  await pings.stop()
  const packets = await capture.stop()
  const centres = OFFICE.center.filter((center) =>
    packets.some(({ destination }) => destination === SITES[center].address),
  )
  return centres.toSorted()
}

const untilCarriedBy = (lab: Lab, center: SiteName) =>
  poll(
    `packets of C go by ${center}`,
    SETTLED_MS,
    () => findCarriers(lab, 'C', 'D'),
    (carriers) => carriers.join() === center,
  )

const FAILOVER: Check = {
  number: 17,
  title: 'the main centre carries; cut, the secondary carries within 2 s; back, the main one carries again',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    const { call, network_number, name } = officeOf(customers[0])
    const set = (type: 1 | 2) =>
      call(networkApi.editRouting, {
        network_number,
        type,
        ...(type === 2 && { main_router: name('A'), secondary_router: name('B') }),
      })
    await untilReached(bed, 'C', 'D')
    await set(2)
    await untilCarriedBy(lab, 'A')
    const pings = startPings(bed, hostName('C'), hostAddress('D'))
    const cut = await cutOff(bed, SITES.A.address)
    try {
      await untilCarriedBy(lab, 'B')
    } finally {
      await cut.mend()
    }
    await untilCarriedBy(lab, 'A')
    const { largestGapMs } = await pings.stop()
    await set(1)
    requireThat(largestGapMs <= FAILOVER_MS, `${Math.round(largestGapMs)} ms without an answer`)
  },
}

export const ROUTING: readonly Check[] = [FAILOVER]
