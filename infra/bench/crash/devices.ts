import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalJson } from '../../../worker/domain/network/compile/compile.ts'
import { type Fleet, startFleet } from '../../simulator/fleet.ts'

/** Agents draw their delays from this share of the range: they come back in the first nine seconds of the 45, all the more at once. */
const SHARE_OF_DELAYS = 0.2

interface Running {
  readonly fleet: Fleet
  wasRemoved: boolean
}

/** Simulated routers that are switched on and off one by one; each keeps key and documents in a folder. */
export class Devices {
  private readonly server: string
  private readonly codes: ReadonlyMap<string, string>
  private readonly folder = mkdtempSync(join(tmpdir(), 'netloom-devices-'))
  private readonly running = new Map<string, Running>()

  /** @param codes activation codes by serial */
  constructor(server: string, codes: ReadonlyMap<string, string>) {
    this.server = server
    this.codes = codes
  }

  async start(serial: string): Promise<void> {
    if (this.running.has(serial)) return
    const noteRemoval = (line: string) => {
      const running = this.running.get(serial)
      if (running && line.startsWith('removed:')) running.wasRemoved = true
    }
    const fleet = await startFleet({
      server: this.server,
      devices: [{ serial, code: this.codes.get(serial) }],
      state: join(this.folder, serial),
      random: () => Math.random() * SHARE_OF_DELAYS,
      log: () => noteRemoval,
    })
    this.running.set(serial, { fleet, wasRemoved: false })
  }

  async stop(serial: string): Promise<void> {
    const running = this.running.get(serial)
    this.running.delete(serial)
    await running?.fleet.stop()
  }

  isRunning(serial: string): boolean {
    return this.running.has(serial)
  }

  isUp(serial: string): boolean {
    return this.agent(serial)?.isUp ?? false
  }

  /** Told that its router is gone or disabled: it asks again minutes later, or once somebody switches it off and on. */
  wasRemoved(serial: string): boolean {
    return this.running.get(serial)?.wasRemoved ?? false
  }

  /** Canonical text of what it runs; null when it runs nothing. */
  document(serial: string): string | null {
    const body = this.agent(serial)?.running ?? null
    return body === null ? null : canonicalJson(body)
  }

  isEmpty(serial: string): boolean {
    return (this.agent(serial)?.running?.networks.length ?? 0) === 0
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running.keys()].map((serial) => this.stop(serial)))
    rmSync(this.folder, { recursive: true, force: true })
  }

  private agent(serial: string) {
    return this.running.get(serial)?.fleet.agents[0]?.agent
  }
}
