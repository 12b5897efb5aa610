import { networkApi } from '#contract/network/index.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { SITES, WEB_ADDRESS } from '#infra/lab/bed/sites.ts'
import { officeOf, readRouters } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { whileCut } from '#infra/lab/packets/cut.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import { type Check, requireThat } from './check.ts'

/* Checks of default routes: the address by which hosts appear on the internet. */

const MOVED_MS = 30_000
const ASK_MS = 10_000
const ASK = 'fetch(process.argv[1], { signal: AbortSignal.timeout(2000) }).then((r) => r.text()).then(console.log)'

/** Address by which a host appears at a web server; empty if it gets no answer. */
async function appearsAs({ bed }: Lab, host: string): Promise<string> {
  const argv = [process.execPath, '-e', ASK, `http://${WEB_ADDRESS}/`]
  const { code, output } = await bed.run(hostName(host), argv, { timeoutMs: ASK_MS })
  return code === 0 ? output.trim() : ''
}

const untilAppearsAs = (lab: Lab, host: string, address: string) =>
  poll(
    `the host of ${host} appears as ${address}`,
    MOVED_MS,
    () => appearsAs(lab, host),
    (seen) => seen === address,
  )

type Mode = Readonly<{ model: 0 | 2 } | { model: 1; metric: 30 | 60 }>

const setDefault = ({ customers: [customer] }: Lab, site: 'A' | 'B' | 'D', mode: Mode) => {
  const { call, network_number, name } = officeOf(customer)
  return call(networkApi.defaultRoute, { network_number, router_name: name(site), ...mode })
}

/** Sets default routes for the time of some work. */
async function withDefaults(
  lab: Lab,
  modes: Readonly<Partial<Record<'A' | 'B' | 'D', Mode>>>,
  work: () => Promise<void>,
) {
  const sites = Object.keys(modes) as ('A' | 'B' | 'D')[]
  for (const site of sites) await setDefault(lab, site, modes[site] ?? { model: 0 })
  try {
    await work()
  } finally {
    for (const site of sites) await setDefault(lab, site, { model: 0 })
  }
}

const ADVERTISED: Check = {
  number: 27,
  title:
    'with a default route of B that D receives, hosts of D appear with the address of B, and those of C with their own',
  needs: 'linux',
  async run(lab) {
    await untilReached(lab.bed, 'D', 'C')
    await untilAppearsAs(lab, 'D', SITES.D.address)
    await withDefaults(lab, { B: { model: 1, metric: 30 }, D: { model: 2 } }, async () => {
      await untilAppearsAs(lab, 'D', SITES.B.address)
      await untilAppearsAs(lab, 'C', SITES.C.address)
    })
    await untilAppearsAs(lab, 'D', SITES.D.address)
  },
}

const METRICS: Check = {
  number: 28,
  title: 'the default route of the lowest metric carries; cut, the next one; without any, the own WAN',
  needs: 'linux',
  async run(lab) {
    const modes = { A: { model: 1, metric: 60 }, B: { model: 1, metric: 30 }, D: { model: 2 } } as const
    await withDefaults(lab, modes, async () => {
      await untilAppearsAs(lab, 'D', SITES.B.address)
      await whileCut(lab.bed, [SITES.B.address], async () => {
        await untilAppearsAs(lab, 'D', SITES.A.address)
        await whileCut(lab.bed, [SITES.A.address], () => untilAppearsAs(lab, 'D', SITES.D.address))
      })
      await untilAppearsAs(lab, 'D', SITES.B.address)
    })
  },
}

const OWN_SOCKET: Check = {
  number: 29,
  title: 'the agent of a router that receives the default route keeps its socket and its own WAN',
  needs: 'linux',
  async run(lab) {
    const [customer] = lab.customers
    const read = async () => (await readRouters(customer)).find(({ site }) => site === 'D')?.row
    const before = await read()
    await withDefaults(lab, { B: { model: 1, metric: 30 }, D: { model: 2 } }, async () => {
      await untilAppearsAs(lab, 'D', SITES.B.address)
      const during = await read()
      requireThat(during?.remote_ip === SITES.D.address, `the service sees ${during?.remote_ip}`)
      requireThat(during.presence.since === before?.presence.since, 'the socket was connected anew')
    })
  },
}

export const DEFAULTS: readonly Check[] = [ADVERTISED, METRICS, OWN_SOCKET]
