import { hostName } from '#infra/lab/bed/plan.ts'
import { NODE_NAMES, hostAddress } from '#infra/lab/bed/sites.ts'
import { networkApi } from '#contract/network/index.ts'
import { orderNodes } from '#infra/lab/nodes.ts'
import { sendBytes, startListener } from '#infra/lab/packets/tcp.ts'
import { untilReached } from '../basis.ts'
import { type Way, untilCarriedBy } from '../carriers.ts'
import { type Check, requireThat } from '../check.ts'
import { untilWell } from '../stands.ts'
import { BANDWIDTH, MODE, carryOffice, withNodesPreferred } from './carried.ts'

/* Check of two customers with the same segments on one node. */

const FOREIGN = '外部网'
const PORT = 5_036
const SENDS_MS = 60_000

const SEPARATED: Check = {
  number: 36,
  title: 'two customers whose LANs have the same segments use one node, and each reaches its own LANs alone',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    await carryOffice(lab)
    const [, other] = customers
    const network_number = other.networks.get(FOREIGN) ?? ''
    const members = ['X', 'Y'].map((site) => other.devices.get(site as 'X' | 'Y')?.serial ?? '')
    const order = { network_number, main: 'P1', members, bandwidth: BANDWIDTH } as const
    const network_fr_id = await orderNodes(lab, other, order)
    await other.call(networkApi.fr, { network_number, network_fr_id, mode: MODE.pop })
    try {
      await withNodesPreferred(lab, async () => {
        await untilWell(other, FOREIGN)
        await untilReached(bed, 'Y', 'X')
        await untilCarriedBy(lab, { from: 'Y', to: 'X', by: ['X', ...NODE_NAMES] } satisfies Way, 'P1')
        await requireOwn('A', 'C', 'Y')
        await requireOwn('X', 'Y', 'C')
      })
    } finally {
      await other.call(networkApi.fr, { network_number, network_fr_id, mode: MODE.center })
    }

    /** A host of one customer reaches the listener; that of the other customer ends at its own host of the same address. */
    async function requireOwn(at: 'A' | 'X', own: string, foreign: string): Promise<void> {
      const listener = await startListener(bed, hostName(at), PORT)
      const target = { address: hostAddress(at), port: PORT }
      const send = (from: string) => sendBytes(bed, hostName(from), target, 1, 'x', SENDS_MS)
      const [reached, crossed] = await Promise.all([send(own), send(foreign)])
      await listener.stop()
      requireThat(reached?.bytes === 1, `the host of ${own} does not reach that of ${at}`)
      requireThat(crossed === null, `the host of ${foreign} reaches that of ${at}, which is another customer's`)
    }
  },
}

export const SEPARATED_CUSTOMERS: readonly Check[] = [SEPARATED]
