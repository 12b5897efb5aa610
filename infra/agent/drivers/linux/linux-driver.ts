import type { RouterDocument } from '#contract/device/document.ts'
import { VPN } from '#contract/device/limits.ts'
import { DEVICE_SETTING_KEYS, type DeviceSettingKey } from '#domain/network/compile/device-settings.ts'
import { type Failure, checkFailure } from '#infra/agent/config/config-machine.ts'
import { type Log, messageOfError } from '#infra/agent/log.ts'
import type { Store } from '#infra/agent/store.ts'
import type { Driver } from '../driver.ts'
import { checkTunnels } from '../render/check-tunnels.ts'
import { renderDocument } from '../render/render.ts'
import { NO_SLOTS, type Slots, assignSlots, readSlots, writeSlots } from '../render/slots.ts'
import type { Target } from '../render/target.ts'
import { type AnyTool, type PlannedStep, mergeSteps, networksOf } from './plan.ts'
import type { Rendering } from './tool.ts'

/* Driver that runs documents on this device with the tools of Linux. */

export interface LinuxDriverPorts {
  readonly tools: readonly AnyTool[]
  readonly store: Store
  readonly log: Log
  /** Settings that this device can follow; all of them unless named. */
  readonly settings?: readonly DeviceSettingKey[]
  /** True for the part of a node: it has a network namespace, and runs isolated networks alone. */
  readonly isNode?: boolean
  readTarget(): Promise<Target>
  /** Failure of a document that this device's own addresses rule out. */
  checkAddresses(document: RouterDocument, target: Target): Failure | null
}

const SLOTS = 'slots'
const REFRESH_MS = 600_000
/** A network of a node needs four: its namespace, its processes, their interfaces, and the rates of these. */
const PASSES_MAX = 5

export class LinuxDriver implements Driver {
  readonly name = 'linux'
  readonly settings: readonly DeviceSettingKey[]
  readonly capabilities = [VPN.capability]
  private readonly ports: LinuxDriverPorts
  /** Rendering that the device was brought to last; undefined before the first apply of this process. */
  private applied: Rendering | null | undefined
  private tail: Promise<unknown> = Promise.resolve()
  private readonly refreshing: NodeJS.Timeout

  constructor(ports: LinuxDriverPorts) {
    this.ports = ports
    this.settings = ports.settings ?? DEVICE_SETTING_KEYS
    this.refreshing = setInterval(() => void this.refresh(), REFRESH_MS)
    this.refreshing.unref()
  }

  async validate(document: RouterDocument): Promise<Failure | null> {
    const target = await this.ports.readTarget()
    if (!this.ports.isNode && document.networks.some(({ isolated }) => isolated))
      return checkFailure('设备不能作为POP节点运行')
    const failure = checkTunnels(document, target) ?? this.ports.checkAddresses(document, target)
    if (failure) return failure
    const rendering = this.render(document, await this.readSlots(), target)
    const refusals = await Promise.all(this.ports.tools.map((tool) => tool.validate(rendering)))
    return refusals.find((refusal) => refusal !== null) ?? null
  }

  async stage(document: RouterDocument | null) {
    const stored = await this.readSlots()
    const rendering = document && this.render(document, stored, await this.ports.readTarget())
    const steps = await this.plan(rendering)
    return {
      changed: networksOf(steps.map(({ step }) => step)),
      apply: () => this.inTurn(() => this.apply(rendering, stored)),
    }
  }

  /** Rendering that runs; null before the first apply and without a document. */
  get running(): Rendering | null {
    return this.applied ?? null
  }

  /** Leaves everything running. */
  close(): void {
    clearInterval(this.refreshing)
  }

  private render(document: RouterDocument, stored: Slots, target: Target): Rendering {
    const slots = assignSlots(document, stored)
    return { document, slots, target, files: renderDocument(document, slots, target) }
  }

  /** Numbers are stored before anything runs under them, beside those of networks that may have to return. */
  private async apply(rendering: Rendering | null, stored: Slots): Promise<void> {
    const before = this.applied
    await this.saveSlots(new Map([...stored, ...(rendering?.slots ?? NO_SLOTS)]))
    try {
      await this.converge(rendering, before === undefined)
    } catch (error) {
      if (before !== undefined) await this.goBack(before)
      throw error
    }
    this.applied = rendering
    await this.saveSlots(rendering?.slots ?? NO_SLOTS)
  }

  private async goBack(before: Rendering | null): Promise<void> {
    try {
      await this.converge(before, true)
      await this.saveSlots(before?.slots ?? NO_SLOTS)
    } catch (error) {
      this.ports.log(`the configuration before could not be restored whole: ${messageOfError(error)}`)
    }
  }

  /**
   * Runs steps until none is left: a process that restarts takes what other tools set on its interface with it.
   *
   * @param isTenacious runs the steps after a failed one, too, and throws at the end.
   */
  private async converge(rendering: Rendering | null, isTenacious: boolean): Promise<void> {
    for (const tool of this.ports.tools) tool.supervise(rendering)
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const steps = await this.plan(rendering)
      if (steps.length === 0) return
      await this.runSteps(steps, isTenacious)
    }
    const left = await this.plan(rendering)
    if (left.length > 0)
      this.ports.log(`not settled: ${left.map(({ tool, step }) => `${tool} ${step.phase}`).join(', ')}`)
  }

  private async runSteps(steps: readonly PlannedStep[], isTenacious: boolean): Promise<void> {
    let failure: unknown
    for (const { tool, step, run } of steps) {
      try {
        await run()
      } catch (error) {
        this.ports.log(`${tool}: ${step.phase} failed: ${messageOfError(error)}`)
        if (!isTenacious) throw error
        failure ??= error
      }
    }
    if (failure !== undefined) throw failure
  }

  private async plan(rendering: Rendering | null) {
    return mergeSteps(await Promise.all(this.ports.tools.map((tool) => tool.plan(rendering))))
  }

  /** Repairs what moved by itself, and restarts tunnels whose certificate soon ends. */
  refresh(): Promise<void> {
    return this.inTurn(async () => {
      if (this.applied !== undefined) await this.converge(this.applied, true)
    }).catch((error: unknown) => this.ports.log(`cannot refresh: ${messageOfError(error)}`))
  }

  private async readSlots(): Promise<Slots> {
    const stored = await this.ports.store.load(SLOTS)
    return readSlots(stored === null ? null : JSON.stringify(stored))
  }

  private saveSlots(slots: Slots): Promise<void> {
    return this.ports.store.save(SLOTS, JSON.parse(writeSlots(slots)))
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.tail.then(work, work)
    this.tail = done.catch(() => {}) // the caller gets it
    return done
  }
}
