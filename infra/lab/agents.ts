import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClaimedDevice } from '#infra/bench/account.ts'
import { inRoot } from '#infra/local/paths.ts'
import type { Bed } from './bed/bed.ts'
import { routerName } from './bed/plan.ts'
import { PROBE_PORT, SERVICE_ADDRESS, SITES, type SiteName } from './bed/sites.ts'

/* Agents of the lab: the real program in the namespace of its router, with a state folder of its own. */

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
  /** True if a line of its log says so. */
  hasLogged(text: string): boolean
  start(): void
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Options of a command line by name. */
export const toOptions = (values: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => [`--${name}`, value])

/** The driver `files` has no ports: it reports the LANs as declared ones. */
const driverOptions = (site: SiteName, driver: DriverName, folder: string): readonly string[] =>
  driver === 'files'
    ? SITES[site].lans.flatMap(({ port, segment }) => ['--lan', `${port}=${segment}`])
    : [
        ...toOptions({ driver, wan: 'wan', run: join(folder, 'run') }),
        ...SITES[site].lans.flatMap(({ port }) => ['--lan-port', port]),
      ]

/** An agent that is not started yet. */
export function openAgent(
  bed: Bed,
  site: SiteName,
  device: ClaimedDevice,
  driver: DriverName,
  parent: string,
): LabAgent {
  const folder = join(parent, site)
  mkdirSync(folder, { mode: 0o711 }) // processes without rights pass through it to their sockets
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  const argv = [
    process.execPath,
    inRoot('infra/agent/main.ts'),
    ...toOptions({
      server: `http://${SERVICE_ADDRESS}`,
      serial: device.serial,
      name: site,
      state: join(folder, 'state'),
      'probe-port': String(PROBE_PORT),
      'code-file': '-',
    }),
    '--insecure',
    ...driverOptions(site, driver, folder),
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
    hasLogged: (text) => readFileSync(log, 'utf8').includes(text),
    documents: () => countInLog(/ config \d+ received$/gm),
    start() {
      const output = openSync(log, 'a', 0o600)
      child = bed.start(routerName(site), argv, { output })
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
