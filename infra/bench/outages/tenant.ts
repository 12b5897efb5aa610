import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { monitorApi } from '#contract/monitor/index.ts'
import { networkApi } from '#contract/network/index.ts'
import type { Call } from '#infra/local/api.ts'
import { startFleet } from '#infra/simulator/fleet.ts'
import { type ClaimedDevice, claimDevice, createAccount, openConsole } from '../account.ts'
import { type Stack, until } from '../stack.ts'
import { type DeviceProcess, type SiteProxy, agentProcess, simulatorProcess, startSiteProxy } from './processes.ts'

/* Account of one outage: three networks over two centres, with monitoring by its defaults. */

const PASSWORD = 'Outage2026'
const SEATS = { network_member: 100, center: 20, software_member: 50 } as const
const READY_MS = 240_000

export const CENTERS = ['上海机房', '苏州机房'] as const
const points = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n + 1}`)
const STORES = points('门店', 6)
const OFFICES = points('办公室', 3)
const LABS = points('实验室', 3)
export const RESEARCH = '研发专网'
/** Networks, the last of which has one centre. */
export const NETWORKS = {
  门店收银网: { center: CENTERS, point: STORES },
  办公网: { center: CENTERS, point: OFFICES },
  [RESEARCH]: { center: [CENTERS[1]], point: LABS },
} as const
export const DEVICES = [...CENTERS, ...STORES, ...OFFICES, ...LABS]
export const SITE = { devices: STORES.slice(0, 3), address: '203.0.113.7' } as const

/** Devices of a tenant, by their notes, that run as processes of their own. All others run in this process. */
export interface Runs {
  /** Real agents. */
  readonly agents: readonly string[]
  /** Devices of one simulator. */
  readonly simulator?: readonly string[]
  /** Public address of the simulator's devices. */
  readonly address?: string
  /** Devices that the outage runs itself. */
  readonly left?: readonly string[]
}

export interface Tenant {
  readonly username: string
  readonly call: Call
  readonly folder: string
  readonly devices: ReadonlyMap<string, ClaimedDevice>
  /** Processes by the note of an agent; that of the simulator under ''. */
  readonly processes: ReadonlyMap<string, DeviceProcess>
  readonly numbers: ReadonlyMap<string, string>
  stop(): Promise<void>
}

export async function createTenant(stack: Stack, username: string, runs: Runs): Promise<Tenant> {
  await createAccount(stack, { username, password: PASSWORD, sign: username }, SEATS)
  const call = openConsole(stack, username)
  const devices = new Map<string, ClaimedDevice>()
  for (const [n, note] of DEVICES.entries())
    devices.set(note, await claimDevice(stack, call, `NL${username.toUpperCase()}${String(n).padStart(2, '0')}`, note))
  const serialOf = (note: string) => devices.get(note)?.serial ?? ''
  const numbers = new Map<string, string>()
  for (const [network_name, { center, point }] of Object.entries(NETWORKS)) {
    const plan = { network_name, center: center.map(serialOf), point: point.map(serialOf) }
    numbers.set(network_name, (await call(networkApi.create, plan)).network_number)
  }
  await call(monitorApi.enable, {})
  const folder = join(stack.data, username)
  mkdirSync(folder, { recursive: true })
  const running = await runDevices(stack, folder, devices, runs)
  return { username, call, folder, devices, numbers, processes: running.processes, stop: running.stop }
}

async function runDevices(
  { origin }: Stack,
  folder: string,
  devices: ReadonlyMap<string, ClaimedDevice>,
  { agents, simulator = [], address, left = [] }: Runs,
) {
  const pick = (notes: readonly string[]) => notes.flatMap((note) => devices.get(note) ?? [])
  const proxy: SiteProxy | null = address === undefined ? null : await startSiteProxy(origin, address)
  const processes = new Map<string, DeviceProcess>()
  for (const note of agents)
    for (const device of pick([note])) processes.set(note, agentProcess(origin, folder, device))
  if (simulator.length > 0) processes.set('', simulatorProcess(proxy?.url ?? origin, folder, pick(simulator)))
  const others = new Set([...agents, ...simulator, ...left])
  const rest = pick(DEVICES.filter((note) => !others.has(note)))
  const fleet = await startFleet({ server: origin, devices: rest })
  return {
    processes,
    stop: async () => {
      await Promise.all([...processes.values()].map((one) => one.stop()))
      await fleet.stop()
      await proxy?.close()
    },
  }
}

/** Waits until each network runs well, with every link up and every configuration applied. */
export async function untilWell({ call, numbers }: Tenant): Promise<void> {
  await until(async () => {
    const healths = await Promise.all(
      [...numbers.values()].map(async (network_number) => (await call(networkApi.status, { network_number })).health),
    )
    return healths.every(
      ({ state, links: { up, down, one_sided, unknown }, config }) =>
        state === 'ok' && up > 0 && down + one_sided + unknown === 0 && config.applied === config.total,
    )
  }, READY_MS)
}
