import type { RatePoint, ViewerRequest } from '#contract/kernel/protocol.ts'
import { networkApi } from '#contract/network/index.ts'
import { linkId, trunkId } from '#domain/network/members/links.ts'
import { openSession } from '#infra/bench/account.ts'
import { openViewer } from '#infra/bench/live-clients.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { poll } from '#infra/lab/poll.ts'
import { startLargePings } from '../carriers.ts'
import type { Check } from '../check.ts'
import { BY_NODES, withNodesPreferred } from './carried.ts'

/* Check of throughput: a page that shows the trunk of a node and the link to it gets their rates. */

const SHOWN_MS = 30_000
/** Large pings alone have more, probes and keepalives less. */
const CARRIED_BPS = 30_000

/** Runs with the rates of these links and trunks, as the socket of a page gets them. */
async function withRates(lab: Lab, ids: readonly string[], run: (rates: Map<string, RatePoint>) => Promise<void>) {
  const [customer] = lab.customers
  const rates = new Map<string, RatePoint>()
  const target = { kind: 'network', network_number: officeOf(customer).network_number } as const
  const token = await openSession(lab.stack, customer.username)
  const socket = await openViewer(lab.stack.origin, token, target, (_, frame) => {
    if (frame?.type === 'link_rates') for (const [id, rate] of Object.entries(frame.data)) rates.set(id, rate)
  })
  try {
    const request: ViewerRequest = { type: 'rates', ids: [...ids] }
    socket.send(JSON.stringify(request))
    await run(rates)
  } finally {
    socket.close()
  }
}

const isCarried = (rate: RatePoint | undefined): boolean =>
  rate !== undefined && rate.down >= CARRIED_BPS && rate.upload >= CARRIED_BPS

const SHOWN: Check = {
  number: 33,
  part: 'b',
  title: 'the trunk of a node and the link to it show the throughput of packets between two points, and the bytes grow',
  needs: 'linux',
  async run(lab) {
    const { call, network_number, name } = officeOf(lab.customers[0])
    await withNodesPreferred(lab, async ({ nodes }) => {
      const node = nodes.get('P1')?.device.serial ?? ''
      const link = linkId(network_number, name('C'), node)
      const ids = [link, trunkId(node)]
      const readBytes = async () => (await call(networkApi.tunnels, { network_number, id: [link] }))[0]
      const before = await readBytes()
      const pings = startLargePings(lab, BY_NODES)
      try {
        await withRates(lab, ids, async (rates) => {
          await poll(
            'link and trunk show the packets',
            SHOWN_MS,
            () => Object.fromEntries(rates),
            () => ids.every((id) => isCarried(rates.get(id))),
          )
        })
        await poll(
          'the bytes of the link grow',
          SHOWN_MS,
          readBytes,
          (now) => (now?.upload ?? 0) > (before?.upload ?? 0),
        )
      } finally {
        await pings.stop()
      }
    })
  },
}

export const THROUGHPUT: readonly Check[] = [SHOWN]
