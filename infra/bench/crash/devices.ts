import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalJson } from '#domain/network/compile/compile.ts'
import { type Fleet, startFleet } from '#infra/simulator/fleet.ts'

/**
 * An agent draws its delays in [0, 1) of their range; these draw in [0, 0.2), so that after a restart all are back within
 * nine seconds instead of 45, and closer together.
 */
const SHARE_OF_DELAYS = 0.2

/** Simulated routers that are switched on and off one by one; each keeps key and documents in a folder. */
export class SimulatedDevices {
  private readonly server: string
  private readonly codes: ReadonlyMap<string, string>
  private readonly folder = mkdtempSync(join(tmpdir(), 'netloom-devices-'))
  private readonly running = new Map<string, Fleet>()

  /** @param codes activation codes by serial */
  constructor(server: string, codes: ReadonlyMap<string, string>) {
    this.server = server
    this.codes = codes
  }

  async start(serial: string): Promise<void> {
    if (this.running.has(serial)) return
    const fleet = await startFleet({
      server: this.server,
      devices: [{ serial, code: this.codes.get(serial) }],
      state: join(this.folder, serial),
      random: () => Math.random() * SHARE_OF_DELAYS,
    })
    this.running.set(serial, fleet)
  }

  async stop(serial: string): Promise<void> {
    const fleet = this.running.get(serial)
    this.running.delete(serial)
    await fleet?.stop()
  }

  isRunning = (serial: string): boolean => this.running.has(serial)
  isUp = (serial: string): boolean => this.agent(serial)?.isUp ?? false
  /** Told that its router is gone or disabled: it asks again minutes later, or once somebody switches it off and on. */
  wasRemoved = (serial: string): boolean => this.agent(serial)?.wasRemoved ?? false
  hasNoNetworks = (serial: string): boolean => (this.agent(serial)?.applied?.networks.length ?? 0) === 0

  /** Canonical text of the applied document; null where there is none. */
  runningDocument(serial: string): string | null {
    const body = this.agent(serial)?.applied ?? null
    return body === null ? null : canonicalJson(body)
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running.keys()].map((serial) => this.stop(serial)))
    rmSync(this.folder, { recursive: true, force: true })
  }

  private agent(serial: string) {
    return this.running.get(serial)?.agents[0]?.agent
  }
}
