import { opsApi } from '#contract/ops/index.ts'
import { operatorCalls } from '#infra/bench/account.ts'
import { hostName, routerName } from '#infra/lab/bed/plan.ts'
import { NODES, NODE_NAMES, hostAddress } from '#infra/lab/bed/sites.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { sendBytes, startListener } from '#infra/lab/packets/tcp.ts'
import { poll } from '#infra/lab/poll.ts'
import { type Check, requireThat } from '../check.ts'
import { BANDWIDTH, withNodesPreferred } from './carried.ts'

/* Check of the bandwidth that a customer orders. */

const PORT = 5_035
const MEASURED_S = 20
const MIN_MBIT = 8
const MAX_MBIT = 11
const CHANGED = 50
const CHANGED_MS = 30_000
const SENT_BYTES = (BANDWIDTH * 1_000_000 * MEASURED_S) / 8

/** Mbit/s at which bytes arrive at the host of one site from that of the other. */
async function measure({ bed, within }: Lab, from: 'C' | 'D', to: 'C' | 'D'): Promise<number> {
  const begun = performance.now()
  const target = { address: hostAddress(to), port: PORT }
  const sent = await sendBytes(bed, hostName(from), target, SENT_BYTES, 'x', within(3 * MEASURED_S * 1000))
  requireThat(sent?.bytes === SENT_BYTES, `${from} to ${to}: ${sent?.bytes ?? 0} bytes arrived`)
  return (SENT_BYTES * 8) / 1000 / (performance.now() - begun)
}

async function requireOrdered(lab: Lab): Promise<void> {
  const listeners = await Promise.all((['C', 'D'] as const).map((site) => startListener(lab.bed, hostName(site), PORT)))
  const rates = [await measure(lab, 'C', 'D'), await measure(lab, 'D', 'C')] // at once they would share the area's bandwidth
  await Promise.all(listeners.map((listener) => listener.stop()))
  const wrong = rates.filter((rate) => rate < MIN_MBIT || rate > MAX_MBIT)
  requireThat(wrong.length === 0, `${rates.map((rate) => rate.toFixed(1)).join(' and ')} Mbit/s`)
}

const readServers = ({ bed }: Lab) =>
  NODE_NAMES.flatMap((name) => [...bed.processes(routerName(name))].filter(([, program]) => program === 'openvpn'))

const ORDERED: Check = {
  number: 35,
  title: 'a bandwidth of 10 lets 8 to 11 Mbit/s pass each way for 20 s, and raised to 50 it restarts nothing',
  needs: 'linux',
  async run(lab) {
    await withNodesPreferred(lab, async ({ network_fr_id, nodes }) => {
      const setBandwidth = (bandwidth: number) =>
        operatorCalls(lab.stack)(opsApi.networkFrBandwidth, { network_fr_id, name: NODES.P1.area, bandwidth })
      await requireOrdered(lab)
      const before = readServers(lab)
      const documents = nodes.get('P1')?.documents() ?? 0
      try {
        await setBandwidth(CHANGED)
        await poll(
          'the node has the new bandwidth',
          CHANGED_MS,
          () => nodes.get('P1')?.documents() ?? 0,
          (count) => count > documents,
        )
        const after = readServers(lab)
        requireThat(
          before.join('; ') === after.join('; '),
          `processes moved: ${before.join('; ')}, ${after.join('; ')}`,
        )
      } finally {
        await setBandwidth(BANDWIDTH)
      }
    })
  },
}

export const ORDERED_BANDWIDTH: readonly Check[] = [ORDERED]
