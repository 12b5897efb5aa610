import { hashOfText, type ProcessTable } from '../processes/process-table.ts'
import { readLastLines } from '../processes/process-log.ts'
import { DAEMONS, type Daemon, daemonSpec, prepareFolder, vtyPath } from './daemons.ts'
import type { FrrObserved, FrrStep } from './frr-plan.ts'
import { type BgpConfig, EMPTY_CONFIG, parseBgpConfig } from './running-config.ts'
import { configureDaemon, queryDaemon, refusalText, VtyClient } from './vty.ts'

const START_MS = 20_000
const POLL_MS = 20

/** The daemons of this device: their start, their state and their configuration. */
export class FrrDaemons {
  private readonly run: string
  private readonly processes: ProcessTable

  constructor(run: string, processes: ProcessTable) {
    this.run = run
    this.processes = processes
  }

  async observe(): Promise<FrrObserved> {
    const states = await Promise.all(DAEMONS.map(async (daemon) => [daemon, await this.isRunning(daemon)] as const))
    const daemons = states.flatMap(([daemon, isUp]) => (isUp ? [daemon] : []))
    const isUp = DAEMONS.some((daemon) => this.processes.running().has(daemon))
    return { daemons, isUp, config: daemons.includes('bgpd') ? await this.readConfig() : EMPTY_CONFIG }
  }

  async runStep({ action, commands }: FrrStep): Promise<void> {
    if (action === 'start') return this.start()
    if (action === 'configure') return this.configure(commands)
    for (const daemon of DAEMONS.toReversed()) await this.processes.stop(daemon)
  }

  async readConfig(): Promise<BgpConfig> {
    return parseBgpConfig(await this.query('show running-config'))
  }

  query(command: string): Promise<string> {
    return queryDaemon(vtyPath(this.run, 'bgpd'), command)
  }

  /** True for a daemon that was started as it would be now, and answers at its socket. */
  private async isRunning(daemon: Daemon): Promise<boolean> {
    const running = this.processes.running().get(daemon)
    if (!running || running.textHash !== hashOfText((await daemonSpec(daemon, this.run)).text)) return false
    const client = await VtyClient.open(vtyPath(this.run, daemon)).catch(() => null)
    client?.close()
    return client !== null
  }

  private async start(): Promise<void> {
    await prepareFolder(this.run)
    for (const daemon of DAEMONS) {
      if (await this.isRunning(daemon)) continue
      await this.processes.stop(daemon)
      await this.processes.start(await daemonSpec(daemon, this.run))
      await this.waitFor(daemon)
    }
  }

  private async waitFor(daemon: Daemon): Promise<void> {
    const until = performance.now() + START_MS
    while (!(await this.isRunning(daemon))) {
      if (!this.processes.running().has(daemon)) {
        const { log } = await daemonSpec(daemon, this.run)
        throw new Error(`${daemon} ended at its start: ${await readLastLines(log)}`)
      }
      if (performance.now() > until) throw new Error(`${daemon} does not answer at its socket`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  private async configure(commands: readonly string[]): Promise<void> {
    const refused = await configureDaemon(vtyPath(this.run, 'bgpd'), commands)
    if (refused.length > 0) throw new Error(`bgpd refuses ${refusalText(refused)}`)
  }
}
