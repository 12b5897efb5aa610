import { hashOfText, type ProcessTable } from '../processes/process-table.ts'
import { readLastLines } from '../processes/process-log.ts'
import { launcherInto } from '../programs.ts'
import { DAEMONS, type Daemon, type DaemonPlace, daemonSpec, prepareFolder, processName, vtyPath } from './daemons.ts'
import type { FrrObserved, FrrStep } from './frr-plan.ts'
import { type BgpConfig, EMPTY_CONFIG, parseBgpConfig } from './running-config.ts'
import { configureDaemon, queryDaemon, refusalText, VtyClient } from './vty.ts'

const START_MS = 20_000
const POLL_MS = 20

/** The daemons of one place: their start, their state and their configuration. */
export class FrrDaemons {
  private readonly place: DaemonPlace
  private readonly processes: ProcessTable

  constructor(place: DaemonPlace, processes: ProcessTable) {
    this.place = place
    this.processes = processes
  }

  /** Daemon of a process; undefined for a process of somebody else. */
  find(name: string): Daemon | undefined {
    return DAEMONS.find((daemon) => processName(daemon, this.place) === name)
  }

  hasStarted(daemon: Daemon): boolean {
    return this.processes.running().has(processName(daemon, this.place))
  }

  async observe(): Promise<FrrObserved> {
    const states = await Promise.all(DAEMONS.map(async (daemon) => [daemon, await this.isRunning(daemon)] as const))
    const daemons = states.flatMap(([daemon, isUp]) => (isUp ? [daemon] : []))
    const isUp = DAEMONS.some((daemon) => this.hasStarted(daemon))
    return { daemons, isUp, config: daemons.includes('bgpd') ? await this.readConfig() : EMPTY_CONFIG }
  }

  async runStep({ action, commands }: FrrStep): Promise<void> {
    if (action === 'start') return this.start()
    if (action === 'configure') return this.configure(commands)
    for (const daemon of DAEMONS.toReversed()) await this.processes.stop(processName(daemon, this.place))
  }

  async readConfig(): Promise<BgpConfig> {
    return parseBgpConfig(await this.query('show running-config'))
  }

  query(command: string): Promise<string> {
    return queryDaemon(vtyPath(this.place.run, 'bgpd'), command)
  }

  /** True for a daemon that was started as it would be now, and answers at its socket. */
  private async isRunning(daemon: Daemon): Promise<boolean> {
    const running = this.processes.running().get(processName(daemon, this.place))
    if (!running || running.textHash !== hashOfText((await daemonSpec(daemon, this.place)).text)) return false
    const client = await VtyClient.open(vtyPath(this.place.run, daemon)).catch(() => null)
    client?.close()
    return client !== null
  }

  private async start(): Promise<void> {
    await prepareFolder(this.place.run)
    for (const daemon of DAEMONS) {
      if (await this.isRunning(daemon)) continue
      const spec = await daemonSpec(daemon, this.place)
      await this.processes.stop(spec.name)
      await this.processes.start({ ...spec, launcher: await launcherInto(this.place.namespace()) })
      await this.waitFor(daemon)
    }
  }

  private async waitFor(daemon: Daemon): Promise<void> {
    const until = performance.now() + START_MS
    while (!(await this.isRunning(daemon))) {
      if (!this.hasStarted(daemon)) {
        const { log } = await daemonSpec(daemon, this.place)
        throw new Error(`${daemon} ended at its start: ${await readLastLines(log)}`)
      }
      if (performance.now() > until) throw new Error(`${daemon} does not answer at its socket`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  private async configure(commands: readonly string[]): Promise<void> {
    const refused = await configureDaemon(vtyPath(this.place.run, 'bgpd'), commands)
    if (refused.length > 0) throw new Error(`bgpd refuses ${refusalText(refused)}`)
  }
}
