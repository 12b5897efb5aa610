import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from '../bed/bed.ts'
import { hostName } from '../bed/plan.ts'
import { hostAddress } from '../bed/sites.ts'

/* Traffic between hosts for somebody who watches: pings both ways, 20 a second a pair, whose size changes each round. */

/** Hosts that send, and those that answer. */
export const PAIRS = [
  ['C', 'A'],
  ['C2', 'B'],
  ['D', 'C'],
  ['D', 'B'],
  ['E', 'A'],
  ['E', 'F'],
] as const

const ROUND_S = 20
const INTERVAL_S = 0.05
/** Payloads in bytes, which fit the tunnels unbroken: 18 to 200 kbit/s each way. */
const SIZES = [64, 240, 700, 1_200, 900, 400] as const

interface Burst {
  readonly from: string
  readonly to: string
  readonly bytes: number
}

/** Pings of a round. Each pair is at another step of the sizes, so that links differ and every one changes. Pure. */
export const planRound = (round: number): readonly Burst[] =>
  PAIRS.map(([from, to], n) => ({ from, to, bytes: SIZES[(round + n) % SIZES.length] ?? SIZES[0] }))

/** Sends rounds until it is stopped; what is on its way then ends with its namespace. */
export function startTraffic(bed: Bed): { stop(): void } {
  let isStopped = false
  const send = ({ from, to, bytes }: Burst) =>
    bed.run(hostName(from), `ping -nq -i ${INTERVAL_S} -w ${ROUND_S} -s ${bytes} ${hostAddress(to)}`.split(' '))
  const sendRounds = async () => {
    for (let round = 0; !isStopped; round += 1)
      await Promise.all([sleep(ROUND_S * 1000), ...planRound(round).map(send)]) // a ping without a way ends at once
  }
  void sendRounds()
  return {
    stop() {
      isStopped = true
    },
  }
}
