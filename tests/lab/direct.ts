import { setTimeout as sleep } from 'node:timers/promises'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK_TYPE } from '#contract/network/limits.ts'
import { routerName } from '#infra/lab/bed/plan.ts'
import { SITES, type SiteName } from '#infra/lab/bed/sites.ts'
import { type Customer, OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { whileCut } from '#infra/lab/packets/cut.ts'
import { canPing } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { requireUnreached, untilReached, untilUnreached } from './basis.ts'
import { LARGE_BYTES, type Way, findCarriers, startLargePings, untilCarriedBy } from './carriers.ts'
import { type Check, requireThat } from './check.ts'
import { withLinkReaders } from './link-readers.ts'
import { readTunnels } from './router-state.ts'
import { untilWell } from './stands.ts'

/* Checks of points among themselves: by a centre, by a link of their own, and in a network without a centre. */

const REACHED_MS = 30_000

const INNER: Check = {
  number: 1,
  part: 'b',
  title: "routers of two points reach each other's inner addresses by each centre",
  needs: 'linux',
  async run({ bed }) {
    await untilReached(bed, 'C', 'D')
    for (const address of (await readTunnels(bed, 'D')).values())
      await poll(
        `the router of C reaches ${address}`,
        REACHED_MS,
        () => canPing(bed, routerName('C'), address),
        Boolean,
      )
  },
}

const LINK = { gateway: '172.31.254.0', mask: 30 } as const
const STILL_MS = 5_000
const DETOUR_MS = 5_000

/** Way between two points of the network, directly or by a centre. */
const BETWEEN_POINTS: Way = { from: 'C', to: 'E', by: [...OFFICE.center, 'E'] }

/** Bytes that have come out of the tunnels of a centre's server for routers. */
async function readServedBytes({ bed }: Lab, site: SiteName): Promise<number> {
  const { output } = await bed.run(routerName(site), ['cat', '/proc/net/dev'])
  return [...output.matchAll(/^\s*ov\d+r:\s*(\d+)/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)
}

/** Centres carry less than a tenth of what two points send each other. */
async function requireStill(lab: Lab): Promise<void> {
  const readAll = async () => Promise.all(OFFICE.center.map((site) => readServedBytes(lab, site)))
  const pings = startLargePings(lab, BETWEEN_POINTS)
  const before = await readAll()
  await sleep(STILL_MS)
  const after = await readAll()
  const { received } = await pings.stop()
  const sent = received * LARGE_BYTES
  requireThat(sent > 0, 'no ping is answered')
  after.forEach((bytes, n) => {
    const grown = bytes - (before[n] ?? 0)
    requireThat(grown < sent / 10, `${OFFICE.center[n]} carries ${grown} bytes while the points send ${sent}`)
  })
}

const POINT_LINK: Check = {
  number: 31,
  title:
    'a link of two points carries what they send each other; cut, a centre carries within 5 s; mended, the link again',
  needs: 'linux',
  async run(lab) {
    const { bed, customers, within } = lab
    const { call, network_number, name } = officeOf(customers[0])
    const setLinks = (rows: readonly { router_name: string; gateway: string; mask: number }[]) =>
      call(networkApi.editPointLink, { network_number, router_name: name('C'), link_config: [...rows] })
    await untilReached(bed, 'C', 'E')
    await setLinks([{ router_name: name('E'), ...LINK }])
    try {
      await untilWell(customers[0], OFFICE.name)
      await untilCarriedBy(lab, BETWEEN_POINTS, 'E')
      await requireStill(lab)
      await withLinkReaders(lab, async (untilAgreed) => {
        await untilAgreed('with the link')
        await whileCut(bed, [SITES.C.address, SITES.E.address], async () => {
          await untilReached(bed, 'C', 'E', within(DETOUR_MS))
          const carriers = await findCarriers(lab, BETWEEN_POINTS)
          requireThat(!carriers.includes('E') && carriers.length > 0, `carried by ${carriers.join(' and ')}`)
          await untilAgreed('while the link is cut')
        })
        await untilCarriedBy(lab, BETWEEN_POINTS, 'E')
        await untilAgreed('after the mend')
      })
    } finally {
      await setLinks([])
    }
    await untilWell(customers[0], OFFICE.name)
    await untilReached(bed, 'C', 'E')
  },
}

const GONE_MS = 20_000
const ALONE = '直连网'
const ALONE_LINK = { gateway: '172.31.253.0', mask: 30 } as const

/** Runs with a network of the routers D, behind a NAT, and F that has no centre and one link. */
async function withAlone(customer: Customer, run: () => Promise<void>): Promise<void> {
  const { call } = customer
  const { name } = officeOf(customer)
  const { network_number } = await call(networkApi.create, {
    network_name: ALONE,
    network_type: NETWORK_TYPE.pointToPoint,
    center: [],
    point: [name('D'), name('F')],
  })
  try {
    await call(networkApi.editPointLink, {
      network_number,
      router_name: name('D'),
      link_config: [{ router_name: name('F'), ...ALONE_LINK }],
    })
    await untilWell({ ...customer, networks: new Map([[ALONE, network_number]]) }, ALONE)
    await run()
  } finally {
    await call(networkApi.delete, { network_number })
  }
}

const NO_CENTRE: Check = {
  number: 32,
  title: 'points of a network without a centre reach each other, past every centre, and nobody else reaches them by it',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    await untilReached(bed, 'C', 'D')
    await requireUnreached(bed, 'D', 'F')
    const countTunnels = async () =>
      (await Promise.all(['D', 'F'].map((site) => readTunnels(bed, site as SiteName)))).map(({ size }) => size)
    const before = await countTunnels()
    await withAlone(customers[0], async () => {
      await untilReached(bed, 'D', 'F')
      await untilReached(bed, 'F', 'D')
      const way: Way = { from: 'F', to: 'D', by: [...OFFICE.center, 'D'] }
      const carriers = await findCarriers(lab, way)
      requireThat(carriers.join() === 'D', `carried by ${carriers.join(' and ')}`)
      await Promise.all([requireUnreached(bed, 'C', 'F'), requireUnreached(bed, 'F', 'C')])
      await untilReached(bed, 'C', 'D')
    })
    await untilUnreached(bed, 'D', 'F')
    await poll('its tunnels are gone', GONE_MS, countTunnels, (counts) => counts.join() === before.join())
    await untilWell(customers[0], OFFICE.name)
  },
}

export const DIRECT: readonly Check[] = [INNER, POINT_LINK, NO_CENTRE]
