import { networkApi } from '#contract/network/index.ts'
import { SITES } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { whileCut } from '#infra/lab/packets/cut.ts'
import { poll } from '#infra/lab/poll.ts'
import { type Way, startLargePings, untilCarriedBy } from '#tests/lab/carriers.ts'
import { ALL as ROUTERS, untilOfficeWell } from '#tests/lab/unmoved.ts'
import type { Finding } from '../report.ts'
import { returnToAgents } from './bench-lab.ts'
import { startByHand, switchAllOff } from './network-by-hand.ts'
import { MOVES, ROUND_COUNT, type Rounds } from './rounds.ts'

/*
 * Longest time without an answer between two points when their main centre is cut off and the other one takes over. The peer
 * is the same FRR with BFD, by hand at all four routers.
 */

const WAY: Way = { from: 'C', to: 'D', by: OFFICE.center }
const BUDGET_S = 1.5
const RATIO = 1.3
const ANSWERS = 20
const ANSWERED_MS = 30_000

export async function benchFailover(lab: Lab, rounds: Rounds): Promise<readonly Finding[]> {
  await setRouting(lab, 2)
  try {
    await untilOfficeWell(lab)
    const ours = await measureGaps(lab)
    await startByHand(lab, await switchAllOff(lab))
    const peers = await measureGaps(lab)
    await returnToAgents(lab, ROUTERS)
    return await rounds(async (round) => compare(ours[round] ?? NaN, peers[round] ?? NaN))
  } finally {
    await setRouting(lab, 1)
  }
}

const compare = (ours: number, peer: number): readonly Finding[] => [
  { what: 'centre cut → other path', value: ours, unit: 's', budget: BUDGET_S, ...MOVES },
  { what: 'centre cut → other path, by hand', value: peer, unit: 's' },
  { what: 'centre cut → other path, ratio', value: ours / peer, unit: '', budget: RATIO, ...MOVES },
]

function setRouting({ customers: [customer] }: Lab, type: 1 | 2): Promise<unknown> {
  const { call, network_number, name } = officeOf(customer)
  const centers = type === 2 ? { main_router: name('A'), secondary_router: name('B') } : {}
  return call(networkApi.editRouting, { network_number, type, ...centers })
}

/** Gaps of some cuts, one after the other, in seconds. */
async function measureGaps(lab: Lab): Promise<readonly number[]> {
  const gaps: number[] = []
  while (gaps.length < ROUND_COUNT) gaps.push(await measureGap(lab))
  return gaps
}

/** Seconds without an answer from a cut until answers come by the other centre. */
async function measureGap(lab: Lab): Promise<number> {
  await untilCarriedBy(lab, WAY, 'A')
  const pings = startLargePings(lab, WAY)
  const untilAnswered = async (what: string) => {
    const before = pings.received()
    await poll(
      what,
      ANSWERED_MS,
      () => pings.received() - before,
      (count) => count >= ANSWERS,
    )
  }
  await untilAnswered('answers before the cut')
  let gapMs = 0
  await whileCut(lab.bed, [SITES.A.address], async () => {
    await untilAnswered('answers by the other centre')
    gapMs = (await pings.stop()).largestGapMs
  })
  return gapMs / 1000
}
