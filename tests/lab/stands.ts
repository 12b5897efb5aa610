import { networkApi } from '#contract/network/index.ts'
import { SITES } from '#infra/lab/bed/sites.ts'
import { type Customer, readRouters } from '#infra/lab/customers.ts'
import { poll } from '#infra/lab/poll.ts'
import type { Check } from './check.ts'

const ONLINE_MS = 60_000
const WELL_MS = 90_000

/** Waits until the console shows each router online, at the address that the internet sees. */
export async function untilOnline(customer: Customer): Promise<void> {
  await poll(
    `routers of ${customer.username} are online at their addresses`,
    ONLINE_MS,
    async () =>
      (await readRouters(customer)).flatMap(({ site, row }) => {
        const isRight = row?.presence.state === 'online' && row.remote_ip === SITES[site].address
        return isRight ? [] : [`${site} ${row?.presence.state} ${row?.remote_ip}, expected ${SITES[site].address}`]
      }),
    (others) => others.length === 0,
  )
}

/** Waits until a network's configuration is 已生效 on all devices, and all its links are up. */
export async function untilWell({ call, networks }: Customer, name: string): Promise<void> {
  const network_number = networks.get(name) ?? ''
  await poll(
    `${name} is applied everywhere and its links are up`,
    WELL_MS,
    async () => {
      const { health, link } = await call(networkApi.status, { network_number })
      const others = link.filter(({ state }) => state !== 'up')
      const { config } = health
      return {
        applied: `${config.applied}/${config.total}`,
        links: link.length,
        others: others.map(({ router_name, center_router_name, state, reason }) =>
          [router_name, center_router_name, state, reason].join(' '),
        ),
        isWell: config.applied === config.total && config.total > 0 && link.length > 0 && others.length === 0,
      }
    },
    ({ isWell }) => isWell,
  )
}

export const STANDS: Check = {
  number: 0,
  title: 'the bed stands: every router is online at its true address, every configuration is applied, every link is up',
  needs: 'files',
  async run({ customers }) {
    await Promise.all(customers.map(untilOnline))
    await Promise.all(
      customers.flatMap((customer) => [...customer.networks.keys()].map((name) => untilWell(customer, name))),
    )
  },
}
