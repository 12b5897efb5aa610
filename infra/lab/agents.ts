import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClaimedDevice } from '#infra/bench/account.ts'
import { AGENT_BUNDLE, inRoot } from '#infra/local/paths.ts'
import type { Bed } from './bed/bed.ts'
import { routerName } from './bed/plan.ts'
import {
  type NodeName,
  PROBE_PORT,
  SERVICE_ADDRESS,
  SITES,
  SPARES,
  type SiteName,
  type SpareName,
} from './bed/sites.ts'
import { FRR_GROUP } from '#infra/agent/drivers/linux/frr/daemons.ts'
import { NODE_OPTIONS } from '#infra/agent/drivers/linux/unit.ts'
import { UNIT_CAPABILITIES } from '#infra/agent/drivers/linux/unit-capabilities.ts'

/* Agents of the lab: the single file that customers download, in the namespace of its router, with a state folder of its own. */

export const DRIVERS = ['files', 'linux'] as const
export type DriverName = (typeof DRIVERS)[number]

export interface LabAgent {
  readonly device: ClaimedDevice
  /** Folder with `state`, `run` and `log`. */
  readonly folder: string
  readonly pid: number | null
  /** Numbers of connections to the service and of documents received, by its log. */
  connections(): number
  documents(): number
  /** Number of connections that the service refused. */
  refusals(): number
  /** True if a line of its log says so. */
  hasLogged(text: string): boolean
  start(): void
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Options of a command line by name. */
export const toOptions = (values: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value])

/** Place of an agent: the name of its folder and log, its host, and the ports of its LANs. */
interface Place {
  readonly name: string
  readonly host: string
  readonly lans: readonly { readonly port: string; readonly segment: string }[]
  /** It carries networks of customers, each in a namespace of its own. */
  readonly isNode: boolean
  /** Folder of its state where that outlives the run. */
  readonly kept: string | null
  /** Command that starts the driver `linux` with other privileges or on another machine. */
  readonly through: readonly string[]
}

export const placeOf = (site: SiteName, kept: string | null = null): Place => ({
  name: site,
  host: routerName(site),
  lans: SITES[site].lans,
  isNode: false,
  kept,
  through: site === CONFINED ? confinement() : [],
})

export const spareOf = (name: SpareName, folder: string, through: readonly string[] = []): Place => ({
  name: folder,
  host: name,
  lans: [{ port: 'lan', segment: SPARES[name].segment }],
  isNode: false,
  kept: null,
  through,
})

export const nodeOf = (name: NodeName): Place => ({
  name,
  host: routerName(name),
  lans: [],
  isNode: true,
  kept: null,
  through: [],
})

/** Router that has exactly the privileges of the unit, and with them its tools. */
const CONFINED: SiteName = 'B'

/** Command that gives a program the capabilities and the group of the unit, and takes all others away for ever. */
const confinement = (): readonly string[] => [
  'setpriv',
  `--bounding-set=-all,${Object.keys(UNIT_CAPABILITIES)
    .map((name) => `+${name.replace('CAP_', '').toLowerCase()}`)
    .join()}`,
  '--inh-caps=-all',
  `--groups=${FRR_GROUP}`,
  '--',
]

/** The driver `files` has no ports: it reports the LANs as declared ones. */
const driverOptions = ({ lans, isNode }: Place, driver: DriverName, folder: string): readonly string[] =>
  driver === 'files'
    ? lans.flatMap(({ port, segment }) => ['--lan', `${port}=${segment}`])
    : [
        ...toOptions({ driver, wan: 'wan', run: join(folder, 'run') }),
        ...lans.flatMap(({ port }) => ['--lan-port', port]),
        ...(isNode ? ['--pop'] : []),
      ]

/** An agent that is not started yet. Its folder may be there already with a state. */
export function openAgent(bed: Bed, place: Place, device: ClaimedDevice, driver: DriverName, parent: string): LabAgent {
  const folder = join(parent, place.name)
  mkdirSync(folder, { mode: 0o711, recursive: true }) // processes without rights pass through it to their sockets
  const state = place.kept ?? join(folder, 'state')
  mkdirSync(state, { mode: 0o700, recursive: true })
  const argv = [
    ...(driver === 'linux' ? place.through : []),
    process.execPath,
    ...NODE_OPTIONS,
    inRoot(AGENT_BUNDLE),
    ...toOptions({
      server: `http://${SERVICE_ADDRESS}`,
      serial: device.serial,
      name: place.name,
      state,
      'probe-port': String(PROBE_PORT),
      'code-file': '-',
    }),
    '--insecure',
    ...driverOptions(place, driver, folder),
  ]
  let child: ChildProcess | null = null
  const log = join(folder, 'log')
  const countInLog = (line: RegExp) => readFileSync(log, 'utf8').match(line)?.length ?? 0
  return {
    device,
    folder,
    get pid() {
      return child?.exitCode === null && child.signalCode === null ? (child.pid ?? null) : null
    },
    connections: () => countInLog(/ connected \(epoch /g),
    refusals: () => countInLog(/ not connected: (?!the server )/g),
    hasLogged: (text) => readFileSync(log, 'utf8').includes(text),
    documents: () => countInLog(/ config \d+ received$/gm),
    start() {
      const output = openSync(log, 'a', 0o600)
      child = bed.start(place.host, argv, { output })
      closeSync(output)
      child.stdin?.on('error', () => {}).end(device.code)
    },
    async end(signal) {
      const ended = child
      if (!ended || ended.exitCode !== null || ended.signalCode !== null) return
      ended.kill(signal)
      await new Promise((done) => ended.once('exit', done))
    },
  }
}
