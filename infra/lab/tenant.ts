import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ClaimedDevice } from '#infra/bench/account.ts'
import type { Server } from '#infra/bench/stack.ts'
import { DEMO_PASSWORD } from '#infra/demo/data.ts'
import { inData } from '#infra/local/paths.ts'
import { openAgent, placeOf } from './agents.ts'
import { Bed } from './bed/bed.ts'
import { listLeftRuns, removeRun } from './bed/leftovers.ts'
import { hostName } from './bed/plan.ts'
import { type SiteName, hostAddress } from './bed/sites.ts'
import { OFFICE, PLANT, createCustomer } from './customers.ts'
import { createRunFolder, removeLab, runName, startEdge } from './lab.ts'
import { startTraffic } from './packets/traffic.ts'
import { findLack } from './requirements.ts'

/*
 * The lab as a tenant of a local stack that runs: the routers of two networks in network namespaces, with traffic between
 * their hosts. Account, devices and the states of agents stay in the data folder; bed and processes are made at each start.
 */

export const LAB_TENANT = 'lab001'
/** File of the data folder with the tenant's devices. */
export const LAB_KEPT = 'lab.json'

export interface LabTenant {
  /** Command that sends packets from one of its hosts. */
  readonly entrance: string
  close(): Promise<void>
}

/** Removes what ended runs left, and opens the lab. Throws with the reason where it cannot stand, and leaves nothing then. */
export async function openLabTenant(server: Server): Promise<LabTenant> {
  const lack = await findLack()
  if (lack !== null) throw new Error(lack)
  for (const name of listLeftRuns()) await removeRun(name)
  const folder = createRunFolder()
  try {
    const bed = new Bed(runName(folder))
    await bed.build()
    await startEdge(bed, folder, server.origin)
    for (const [site, device] of await openDevices(server))
      openAgent(bed, placeOf(site, inData('agents', device.serial)), device, 'linux', folder).start()
    const traffic = startTraffic(bed)
    return {
      entrance: `ip netns exec ${bed.prefix}-${hostName('C')} ping ${hostAddress('A')}`,
      async close() {
        traffic.stop()
        await removeLab(folder)
      },
    }
  } catch (error) {
    await removeLab(folder)
    throw error
  }
}

/** Devices of the tenant, which the first start creates with its account and networks. The file is empty until all are. */
async function openDevices(server: Server): Promise<ReadonlyMap<SiteName, ClaimedDevice>> {
  const file = inData(LAB_KEPT)
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as [SiteName, ClaimedDevice][]) : null
  if (kept?.length === 0) throw new Error('its account is half made (npm start -- --fresh begins anew)')
  if (kept) return new Map(kept)
  writeFileSync(file, '[]', { mode: 0o600 })
  const person = { username: LAB_TENANT, password: DEMO_PASSWORD, nickname: '组网实验室' }
  const { devices } = await createCustomer(server, person, [OFFICE, PLANT])
  writeFileSync(file, JSON.stringify([...devices]))
  return devices
}
