import { hostName } from '#infra/lab/bed/plan.ts'
import { type NodeName, type SiteName, addressOf, hostAddress } from '#infra/lab/bed/sites.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { type Packet, startCapture } from '#infra/lab/packets/capture.ts'
import { startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'

/* Routers to which a router sends the packets of its host, seen on the internet by their size. */

/** Longer than packets that tunnels, BGP and BFD send by themselves. */
export const LARGE_BYTES = 900
const LOOK_ANSWERS = 10
const LOOK_MS = 10_000
const SETTLED_MS = 60_000

/** Host that sends, host that answers, and the routers that may carry. */
export interface Way {
  readonly from: SiteName
  readonly to: SiteName
  readonly by: readonly (SiteName | NodeName)[]
}

/** Captures the large packets that a router sends. */
export const captureLargePackets = ({ bed, folder }: Lab, { from }: Pick<Way, 'from'>) =>
  startCapture(bed, folder, { filter: ['greater', String(LARGE_BYTES), 'and', 'src', 'host', addressOf(from)] })

export const startLargePings = ({ bed }: Lab, { from, to }: Pick<Way, 'from' | 'to'>) =>
  startPings(bed, hostName(from), hostAddress(to), LARGE_BYTES)

/** Routers that packets go to, in the order of the alphabet. */
export const listCarriers = (packets: readonly Packet[], { by }: Pick<Way, 'by'>): Way['by'] =>
  by.filter((site) => packets.some(({ destination }) => destination === addressOf(site))).toSorted()

export async function findCarriers(lab: Lab, way: Way): Promise<Way['by']> {
  const capture = await captureLargePackets(lab, way)
  const pings = startLargePings(lab, way)
  await poll(
    `${LOOK_ANSWERS} answers`,
    LOOK_MS,
    () => pings.received(),
    (count) => count >= LOOK_ANSWERS,
  )
  await pings.stop()
  return listCarriers(await capture.stop(), way)
}

export const untilCarriedBy = (lab: Lab, way: Way, carrier: SiteName | NodeName) =>
  poll(
    `packets of ${way.from} to ${way.to} go by ${carrier}`,
    SETTLED_MS,
    () => findCarriers(lab, way),
    (carriers) => carriers.join() === carrier,
  )
