import { networkApi } from '#contract/network/index.ts'
import { routerName } from '#infra/lab/bed/plan.ts'
import { SITES, type SiteName } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import { type Lab, openLab } from '#infra/lab/lab.ts'
import { clearHost } from '#tests/lab/router-state.ts'
import { STANDS } from '#tests/lab/stands.ts'
import { ALL as ROUTERS, untilOfficeWell } from '#tests/lab/unmoved.ts'
import { type HandMadeRouter, readHandMade } from './by-hand.ts'

/* Lab of the bench: one network of two centres, which are linked, and two points. The other routers of the bed are off. */

const LAN_PORTS: Partial<Record<SiteName, readonly string[]>> = { C: ['lan', 'lan2'] }

/** Link of the centres, without which their LANs do not reach each other. */
const CENTER_LINK = { public_ip: SITES.B.address, public_port: 24_000, static_port: 24_000 }

export async function openBenchLab(folder: string, print: (line: string) => void): Promise<Lab> {
  const lab = await openLab(folder, { driver: 'linux', patience: 1, print })
  await STANDS.run(lab)
  const { call, network_number, name } = officeOf(lab.customers[0])
  await call(networkApi.removeMember, { network_number, router_name: name('E'), confirm: 1 })
  await call(networkApi.centerLink, { network_number, center_router_name: name('B'), ...CENTER_LINK })
  await call(networkApi.enableCenterLink, { network_number, enable: 1 })
  for (const site of lab.agents.keys()) if (!ROUTERS.includes(site)) await switchOff(lab, site)
  await untilOfficeWell(lab)
  return lab
}

/** Takes away what a loss of power does: processes, tunnels, routes and rules. */
export const switchOff = ({ bed }: Lab, site: SiteName): Promise<void> => clearHost(bed, routerName(site))

export const handMade = ({ agents }: Lab, site: SiteName): HandMadeRouter => {
  const agent = agents.get(site)
  if (!agent) throw new Error(`no agent of ${site}`)
  return readHandMade(agent, routerName(site), LAN_PORTS[site])
}

/** Puts routers back into the hands of their agents, whatever runs there. */
export async function returnToAgents(lab: Lab, sites: readonly SiteName[]): Promise<void> {
  for (const site of sites) {
    await switchOff(lab, site)
    lab.agents.get(site)?.start()
  }
  await untilOfficeWell(lab)
}
