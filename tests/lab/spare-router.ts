import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { claimDevice } from '#infra/bench/account.ts'
import { type LabAgent, openAgent, spareOf } from '#infra/lab/agents.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { SPARES, addressIn } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { canPing } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { clearHost } from './router-state.ts'

/* A router that a check adds to the network as a point, and deletes at its end. */

const SPARE_ADDRESS = addressIn(SPARES.spare.segment, 1)
const JOINED_MS = 60_000
const ONLINE_MS = 30_000

let spares = 0

export interface SpareRouter {
  readonly serial: string
  readonly agent: LabAgent
  /** Adds it to the network, and waits until a host of the network reaches its LAN. */
  join(): Promise<void>
  /** Deletes it from the account. */
  delete(): Promise<void>
}

/** Waits until the host of C gets an answer from the LAN of the spare router, or none. */
export const untilSpare = ({ bed }: Lab, isReached: boolean, limitMs = JOINED_MS): Promise<unknown> =>
  poll(
    `the host of C ${isReached ? 'reaches' : 'no longer reaches'} the added router`,
    limitMs,
    () => canPing(bed, hostName('C'), SPARE_ADDRESS),
    (now) => now === isReached,
  )

/** Claims a router and starts its agent for the time of some work. @param through command that starts its program */
export async function withSpare(
  lab: Lab,
  work: (spare: SpareRouter) => Promise<void>,
  through: readonly string[] = [],
): Promise<void> {
  const { bed, stack, folder, driver } = lab
  const { call, network_number } = officeOf(lab.customers[0])
  const serial = `NLLABSPARE${++spares}`
  const device = await claimDevice(stack, call, serial, `临时路由${spares}`)
  const agent = openAgent(bed, spareOf('spare', `spare${spares}`, through), device, driver, folder)
  agent.start()
  let isDeleted = false
  const spare: SpareRouter = {
    serial,
    agent,
    async join() {
      await poll('the added router is connected', ONLINE_MS, () => agent.connections(), Boolean)
      await call(networkApi.addMember, { network_number, router_name: serial, member_type: 'point' })
      await untilSpare(lab, true)
    },
    async delete() {
      isDeleted = true
      await call(routerApi.delete, { router_name: serial, confirm: 1 })
    },
  }
  try {
    await work(spare)
  } finally {
    if (!isDeleted) await spare.delete()
    await clearHost(bed, 'spare')
  }
}
