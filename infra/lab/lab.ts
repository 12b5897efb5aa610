import { chmodSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Stack, startStack } from '#infra/bench/stack.ts'
import { createTempFolder, inRoot } from '#infra/local/paths.ts'
import { type DriverName, type LabAgent, openAgent, placeOf } from './agents.ts'
import { Bed, RUN_VARIABLE } from './bed/bed.ts'
import { RUN_NAME, removeRun, writeOwner } from './bed/leftovers.ts'
import { INTERNET } from './bed/plan.ts'
import type { SiteName } from './bed/sites.ts'
import { type Customer, createCustomers } from './customers.ts'
import { type Relay, startRelay } from './edge/relay.ts'
import { poll } from './poll.ts'

/* The lab as it stands: bed, local stack, edge, customers and the agents of their routers. */

export interface Lab {
  /** Bound of a check in ms: that of a machine at rest, times the patience of the run. */
  within(boundMs: number): number
  readonly driver: DriverName
  readonly folder: string
  readonly bed: Bed
  readonly stack: Stack
  readonly customers: readonly [Customer, Customer]
  readonly agents: ReadonlyMap<SiteName, LabAgent>
}

/** Time within which a device has to confirm a document. */
const CONFIRM_S = 15
/** Seconds over which devices come back after a restart of the service. */
const RESTART_SPREAD_S = 15
const EDGE_READY_MS = 20_000
const PRODUCT = ['infra/start.ts', '--no-agents', '--no-demo']

/** Folder of a run, which names everything of it. Others may pass through it to the folders that servers without rights read. */
export function createRunFolder(): string {
  const folder = createTempFolder(RUN_NAME)
  chmodSync(folder, 0o711)
  writeOwner(folder)
  return folder
}

/** Name of a run: that of its folder, with which the names of its namespaces begin. */
export const runName = (folder: string): string => basename(folder)

/** Removes everything of a run, also of one that stopped half way. */
export const removeLab = (folder: string): Promise<void> => removeRun(runName(folder))

interface LabOptions {
  readonly driver: DriverName
  /** Factor of bounds. A busy machine needs more than 1. */
  readonly patience: number
  print(line: string): void
}

export async function openLab(folder: string, { driver, patience, print }: LabOptions): Promise<Lab> {
  const bed = new Bed(runName(folder))
  const timed = async <T>(what: string, work: Promise<T>): Promise<T> => {
    const begun = performance.now()
    const result = await work
    print(`${what} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    return result
  }
  await timed('bed', bed.build())
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary, { mode: 0o700 })
  const settings = { CONFIRM_S: String(CONFIRM_S), RESTART_SPREAD_S: String(RESTART_SPREAD_S) }
  const variables = { ...settings, TMPDIR: temporary, [RUN_VARIABLE]: bed.prefix }
  const stack = await timed('stack', startStack(PRODUCT, { data: join(folder, 'stack'), variables }))
  await startEdge(bed, folder, stack.origin)
  const customers = await timed('customers', createCustomers(stack))
  const agents = new Map<SiteName, LabAgent>()
  for (const { devices } of customers)
    for (const [site, device] of devices) agents.set(site, openAgent(bed, placeOf(site), device, driver, folder))
  for (const agent of agents.values()) agent.start()
  return { within: (boundMs) => boundMs * patience, driver, folder, bed, stack, customers, agents }
}

/** Starts the edge of a bed, which leads to a local stack. */
export async function startEdge(bed: Bed, folder: string, origin: string): Promise<Relay> {
  const socketPath = join(folder, 'relay.sock')
  const relay = await startRelay(socketPath, origin)
  const edge = bed.start(INTERNET, [process.execPath, inRoot('infra/lab/edge/main.ts'), socketPath], { output: 'pipe' })
  let output = ''
  edge.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  edge.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await poll(
    'the edge answers',
    EDGE_READY_MS,
    () => output,
    (text) => {
      if (edge.exitCode !== null) throw new Error(`The edge has ended: ${text}`)
      return text.includes('ready')
    },
  )
  return relay
}
