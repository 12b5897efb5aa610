import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HUB_READ } from '#contract/kernel/hub-limits.ts'
import { networkApi } from '#contract/network/index.ts'
import type { LabAgent } from '#infra/lab/agents.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { poll } from '#infra/lab/poll.ts'
import { clearHost } from '#tests/lab/router-state.ts'
import { withSpare } from '#tests/lab/spare-router.ts'
import { untilOfficeWell } from '#tests/lab/unmoved.ts'
import type { Finding } from '../report.ts'
import { TUNNEL_READY, readHandMade, startTunnels, untilReady } from './by-hand.ts'
import { MOVES, type Rounds } from './rounds.ts'

/*
 * Time from the save that adds a point until its tunnels to both centres stand, whose servers run. The peer is OpenVPN started
 * by hand with the same files.
 */

const HOST = 'spare'
const ONLINE_MS = 30_000
/** Its hub reads rows for a connection and for its hello, once a second at most. */
const READS_MS = 2 * HUB_READ.everyMs
const TUNNEL_MS = 30_000
const LOOK_MS = 5
const BUDGET_S = 1.5
const LEAD_S = 1

export const benchSave = (lab: Lab, rounds: Rounds): Promise<readonly Finding[]> =>
  rounds(async () => {
    let times = { ours: 0, peer: 0 }
    await withSpare(lab, async ({ serial, agent }) => {
      await poll('the router is connected', ONLINE_MS, () => agent.connections(), Boolean)
      await sleep(READS_MS)
      const { call, network_number } = officeOf(lab.customers[0])
      const savedAt = Date.now()
      await call(networkApi.addMember, { network_number, router_name: serial, member_type: 'point' })
      const ours = (await untilTunnels(agent)) - savedAt
      await untilOfficeWell(lab)
      times = { ours: ours / 1000, peer: (await measureByHand(lab, agent)) / 1000 }
    })
    const { ours, peer } = times
    return [
      { what: 'save → tunnels up', value: ours, unit: 's', budget: BUDGET_S, ...MOVES },
      { what: 'save → tunnels up, by hand', value: peer, unit: 's' },
      { what: 'save → tunnels up, more than by hand', value: ours - peer, unit: 's', budget: LEAD_S, ...MOVES },
    ]
  })

const CLIENT_LOG = /^ov\d+c\d+\.log$/

/** Time at which the tunnels to all centres stood, by the logs of their processes. */
async function untilTunnels({ folder }: LabAgent): Promise<number> {
  const run = join(folder, 'run')
  const countReady = () =>
    readdirSync(run).filter(
      (name) => CLIENT_LOG.test(name) && readFileSync(join(run, name), 'utf8').includes(TUNNEL_READY),
    ).length
  for (const until = Date.now() + TUNNEL_MS; countReady() < OFFICE.center.length; await sleep(LOOK_MS))
    if (Date.now() > until) throw new Error('the tunnels do not stand')
  return Date.now()
}

/** Ends the router, and starts its tunnels by hand; ms until they stand. */
async function measureByHand({ bed }: Lab, agent: LabAgent): Promise<number> {
  const router = readHandMade(agent, HOST)
  await clearHost(bed, HOST)
  const startedAt = Date.now()
  return (await untilReady(startTunnels(bed, router))) - startedAt
}
