import type { RouterDocument } from '#contract/device/document.ts'
import type { ConfigDocument, Outcome } from '#infra/agent/config/config-machine.ts'
import { ConfigRunner, readConfigRecord } from '#infra/agent/config/config-runner.ts'
import type { Driver, Refusal } from '#infra/agent/drivers/driver.ts'
import type { Store } from '#infra/agent/store.ts'
import { FakeClock, flushPromises } from './fake-clock.ts'

/** A disk, a device and a hub that outlive the agent's process, which can be killed between any two of its actions. */
export class ConfigHarness {
  readonly clock = new FakeClock()
  readonly disk = new Map<string, string>()
  device: RouterDocument | null = null
  reports: Outcome[] = []
  /** First network numbers of documents that the device refuses when checked, or fails to take. */
  refuses = new Set<string>()
  breaksOn = new Set<string>()
  /** Networks that a node refuses; null: the device is none. */
  refused: readonly Refusal[] | null = null
  isDiskFull = false
  runner!: ConfigRunner
  private proof: (() => void) | null = null
  private actions = 0
  private killAt = Infinity
  private process = 0

  /** Starts the agent; it crashes at its n-th action from here, before or after that action has had its effect. */
  async start(killAt = Infinity): Promise<void> {
    this.actions = 0
    this.killAt = killAt
    this.proof = null
    const mine = ++this.process
    const act = async (effect: () => void) => {
      if (this.process !== mine) return new Promise<never>(() => {})
      if (++this.actions >= this.killAt) await this.die()
      effect()
      if (++this.actions >= this.killAt) await this.die()
    }
    const store: Store = {
      load: async (name) => JSON.parse(this.disk.get(name) ?? 'null'),
      save: async (name, value) => {
        if (this.isDiskFull) throw new Error('ENOSPC')
        await act(() => this.disk.set(name, JSON.stringify(value)))
      },
    }
    const driver: Driver = {
      name: 'test',
      settings: [],
      validate: async (document) => {
        await act(() => {})
        return this.refuses.has(networkNumberOf(document)) ? { reason: '配置校验失败：测试' } : null
      },
      stage: async (document) => ({
        changed: [],
        apply: async () => {
          if (this.breaksOn.has(networkNumberOf(document))) throw new Error('disk full')
          await act(() => (this.device = document))
          return this.refused === null ? undefined : { refused: this.refused }
        },
      }),
    }
    const ports = {
      clock: this.clock,
      store,
      driver,
      log: () => {},
      report: (outcome: Outcome) => this.process === mine && this.reports.push(outcome),
      onProof: (done: () => void) => (this.proof = done),
      changed: () => {},
    }
    this.runner = new ConfigRunner(ports, await readConfigRecord(store))
    void this.runner.start()
    await flushPromises()
  }

  /** Ends the process: pending callbacks never run. */
  kill(): void {
    this.process += 1
  }

  get isDead(): boolean {
    return this.actions >= this.killAt
  }

  private die(): Promise<never> {
    this.kill()
    return new Promise(() => {})
  }

  async welcome(desiredVersion = 0): Promise<void> {
    void this.runner.dispatch({ type: 'welcomed', desiredVersion })
    await flushPromises()
  }

  async lose(): Promise<void> {
    void this.runner.dispatch({ type: 'lost' })
    await flushPromises()
  }

  async offer(document: ConfigDocument, { confirmMs = 120_000, intact = true } = {}): Promise<void> {
    void this.runner.dispatch({ type: 'offered', document, confirmMs, intact })
    await flushPromises()
  }

  /** The hub answers whatever is waiting for it. */
  async answer(): Promise<void> {
    const done = this.proof
    this.proof = null
    done?.()
    await flushPromises()
  }

  states(): string[] {
    return this.reports.map((r) => `${r.version} ${r.state}`)
  }

  get confirmedVersion(): number | null {
    const record = JSON.parse(this.disk.get('config') ?? 'null') as { confirmed: ConfigDocument | null } | null
    return record?.confirmed?.version ?? null
  }
}

const networkNumberOf = (document: RouterDocument | null): string => document?.networks[0]?.network_number ?? ''
