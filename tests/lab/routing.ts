import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { SITES, hostAddress } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { whileCut } from '#infra/lab/packets/cut.ts'
import { sendBytes, startListener } from '#infra/lab/packets/tcp.ts'
import { poll } from '#infra/lab/poll.ts'
import { requireUnreached, untilReached, untilUnreached } from './basis.ts'
import { type Way, captureLargePackets, listCarriers, startLargePings, untilCarriedBy } from './carriers.ts'
import { type Check, requireThat } from './check.ts'
import { withLinkReaders } from './link-readers.ts'
import { untilWell } from './stands.ts'

/* Checks of routing: the centre that carries, and what happens when it is cut. */

const FAILOVER_MS = 2_000

/** Way by the centres of the network, and by the one that joins it for a check. */
const BY_CENTRES: Way = { from: 'C', to: 'D', by: [...OFFICE.center, 'F'] }

const setRouting = ({ customers: [customer] }: Lab, type: 1 | 2) => {
  const { call, network_number, name } = officeOf(customer)
  return call(networkApi.editRouting, {
    network_number,
    type,
    ...(type === 2 && { main_router: name('A'), secondary_router: name('B') }),
  })
}

/**
 * Cuts the main centre off until packets go by the secondary one, and mends it until they go by the main one again: no other
 * centre carries, no gap is long, and the console says at each stage what the routers have.
 */
async function requireFailover(lab: Lab): Promise<void> {
  const { bed } = lab
  await setRouting(lab, 2)
  try {
    await withLinkReaders(lab, async (untilAgreed) => {
      await untilCarriedBy(lab, BY_CENTRES, 'A')
      await untilAgreed('before the cut')
      const capture = await captureLargePackets(lab, BY_CENTRES)
      const pings = startLargePings(lab, BY_CENTRES)
      await whileCut(bed, [SITES.A.address], async () => {
        await untilCarriedBy(lab, BY_CENTRES, 'B')
        await untilAgreed('while A is cut off', ['A'])
      })
      await untilCarriedBy(lab, BY_CENTRES, 'A')
      await untilAgreed('after the return of A')
      const { largestGapMs } = await pings.stop()
      const carriers = listCarriers(await capture.stop(), BY_CENTRES)
      requireThat(carriers.join() === 'A,B', `carried by ${carriers.join(' and ')}`)
      requireThat(largestGapMs <= lab.within(FAILOVER_MS), `${Math.round(largestGapMs)} ms without an answer`)
    })
  } finally {
    await setRouting(lab, 1)
  }
}

const FAILOVER: Check = {
  number: 17,
  title: 'the main centre carries; cut, the secondary carries within 2 s; back, the main one carries again',
  needs: 'linux',
  async run(lab) {
    await untilReached(lab.bed, 'C', 'D')
    await requireFailover(lab)
  },
}

const THIRD: Check = {
  number: 17,
  part: 'b',
  title: 'with three centres the secondary one carries once the main one is cut, and never the third',
  needs: 'linux',
  async run(lab) {
    const { call, network_number, name } = officeOf(lab.customers[0])
    const third = { network_number, router_name: name('F') }
    await call(networkApi.addMember, { ...third, member_type: 'center' })
    try {
      await untilWell(lab.customers[0], OFFICE.name)
      await requireFailover(lab)
    } finally {
      await call(networkApi.removeMember, { ...third, confirm: 1 })
    }
    await untilWell(lab.customers[0], OFFICE.name)
    await untilReached(lab.bed, 'C', 'D')
  },
}

const SETTLED_MS = 60_000
const LOOK_MS = 10_000
const FLOWS = 12
const FLOW_BYTES = 20_000
const PORT = 5_001

/** Centres to which C sends the packets of several connections of its host to that of D. */
async function findCarriersOfFlows(lab: Lab): Promise<Way['by']> {
  const { bed } = lab
  const listener = await startListener(bed, hostName('D'), PORT)
  const capture = await captureLargePackets(lab, BY_CENTRES)
  const target = { address: hostAddress('D'), port: PORT }
  await Promise.all(
    Array.from({ length: FLOWS }, () => sendBytes(bed, hostName('C'), target, FLOW_BYTES, 'x', LOOK_MS)),
  )
  const packets = await capture.stop()
  await listener.stop()
  return listCarriers(packets, BY_CENTRES)
}

const SHARED: Check = {
  number: 15,
  title: 'sharing the load, connections of one host use both centres',
  needs: 'linux',
  async run(lab) {
    await untilReached(lab.bed, 'C', 'D')
    await poll(
      'both centres carry',
      SETTLED_MS,
      () => findCarriersOfFlows(lab),
      (carriers) => carriers.length === 2,
    )
  },
}

const MAIN_ONLY: Check = {
  number: 16,
  title: 'with a main router all connections go by it',
  needs: 'linux',
  async run(lab) {
    await untilReached(lab.bed, 'C', 'D')
    await setRouting(lab, 2)
    try {
      await untilCarriedBy(lab, BY_CENTRES, 'A')
      const carriers = await findCarriersOfFlows(lab)
      requireThat(carriers.join() === 'A', `carried by ${carriers.join(' and ')}`)
    } finally {
      await setRouting(lab, 1)
    }
  },
}

const STATIC_ROUTE: Check = {
  number: 26,
  title: 'a host behind a switch on the LAN is reached with a static route of its router, and not without',
  needs: 'linux',
  async run({ bed, customers }) {
    const { call, name } = officeOf(customers[0])
    const set = (routes: readonly { prefix: string; mask: number; via: string }[]) =>
      call(routerApi.staticRoutes, { router_name: name('C'), routes: [...routes] })
    const { via, segment } = SITES.C.switched ?? { via: '', segment: '' }
    await untilReached(bed, 'D', 'C')
    await requireUnreached(bed, 'D', 'Cs')
    await set([{ prefix: segment.replace('/24', ''), mask: 24, via }])
    try {
      await untilReached(bed, 'D', 'Cs')
    } finally {
      await set([])
    }
    await untilUnreached(bed, 'D', 'Cs')
  },
}

export const ROUTING: readonly Check[] = [SHARED, MAIN_ONLY, FAILOVER, THIRD, STATIC_ROUTE]
