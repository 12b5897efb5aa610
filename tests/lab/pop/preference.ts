import { networkApi } from '#contract/network/index.ts'
import { NODES } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { whileCut } from '#infra/lab/packets/cut.ts'
import { untilReached } from '../basis.ts'
import { captureLargePackets, listCarriers, startLargePings, untilCarriedBy } from '../carriers.ts'
import { type Check, requireThat } from '../check.ts'
import { withLinkReaders } from '../link-readers.ts'
import { BY_NODES, carryOffice, readHop, withNodesPreferred } from './carried.ts'

/* Checks of ways by nodes: the mode of a resource, and the backup of a main node. */

const FAILOVER_MS = 2_000

/** Inner addresses of the nodes and centres that C dials. */
async function readPeers({ customers: [customer] }: Lab) {
  const { call, network_number, name } = officeOf(customer)
  const { link } = await call(networkApi.status, { network_number })
  const own = link.filter(({ router_name }) => router_name === name('C'))
  const addresses = (isNode: boolean) =>
    own.flatMap(({ kind, center_vpn_ip }) => ((kind === 'pop') === isNode ? center_vpn_ip : []))
  return { nodes: addresses(true), centers: addresses(false) }
}

const RESOURCE_MODE: Check = {
  number: 33,
  title: 'with nodes preferred a trace of the way shows the node, with centres preferred the centre',
  needs: 'linux',
  async run(lab) {
    await carryOffice(lab)
    const peers = await readPeers(lab)
    await withNodesPreferred(lab, async () => {
      const node = await readHop(lab, BY_NODES, 2)
      requireThat(peers.nodes.includes(node), `the second hop is ${node}, the nodes are ${peers.nodes.join(' and ')}`)
    })
    const centre = await readHop(lab, BY_NODES, 2)
    requireThat(peers.centers.includes(centre), `the second hop is ${centre}`)
  },
}

const BACKUP: Check = {
  number: 34,
  title: 'with the main node cut off its backup carries within 2 s; back, the main one carries again',
  needs: 'linux',
  async run(lab) {
    const { bed, within } = lab
    await withNodesPreferred(lab, ({ nodes }) =>
      withLinkReaders(
        lab,
        async (untilAgreed) => {
          await untilAgreed('before the cut')
          const capture = await captureLargePackets(lab, BY_NODES)
          const pings = startLargePings(lab, BY_NODES)
          await whileCut(bed, [NODES.P1.address], async () => {
            await untilCarriedBy(lab, BY_NODES, 'P2')
            await untilAgreed('while the main node is cut off', ['P1'])
          })
          await untilCarriedBy(lab, BY_NODES, 'P1')
          await untilAgreed('after its return')
          const { largestGapMs } = await pings.stop()
          const carriers = listCarriers(await capture.stop(), BY_NODES)
          requireThat(carriers.join() === 'P1,P2', `carried by ${carriers.join(' and ')}`)
          requireThat(largestGapMs <= within(FAILOVER_MS), `${Math.round(largestGapMs)} ms without an answer`)
        },
        nodes,
      ),
    )
    await untilReached(bed, 'C', 'D')
  },
}

export const PREFERENCE: readonly Check[] = [RESOURCE_MODE, BACKUP]
