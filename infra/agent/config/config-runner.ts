import { z } from 'zod'
import { configResult } from '#contract/kernel/protocol.ts'
import { routerDocument } from '#contract/device/document.ts'
import type { Clock } from '../clock.ts'
import {
  type ConfigDocument,
  type ConfigEffect,
  type ConfigEvent,
  type ConfigRecord,
  type ConfigState,
  type Failure,
  checkFailure,
  type Outcome,
  configAtStart,
  emptyRecord,
  stepConfig,
} from './config-machine.ts'
import { checkDocument, checkSettings } from './check-document.ts'
import type { Driver, Refusal } from '../drivers/driver.ts'
import { type Log, messageOfError } from '../log.ts'
import type { Store } from '../store.ts'

/* Runs the actions of the config machine on the device: an event queue with one consumer. */

export interface ConfigPorts {
  readonly clock: Clock
  readonly store: Store
  readonly driver: Driver
  readonly log: Log
  /** Sends if connected. A lost result is harmless: `applied` is repeated in every frame. */
  report(outcome: Outcome): void
  /** Calls back once the hub has answered something sent from now on, over this connection or a later one. */
  onProof(done: () => void): void
  /** The device runs another document now. */
  changed(applied: ConfigDocument | null): void
}

const document = z.object({ version: z.int(), hash: z.string(), body: routerDocument }).nullable()
const stored = z.object({
  confirmed: document,
  unreported: configResult.omit({ t: true }).nullable(),
})
const RECORD = 'config'

export async function readConfigRecord(store: Store): Promise<ConfigRecord> {
  const kept = await store.load(RECORD)
  // The raw JSON, not the parsed value: unknown fields of a newer hub are part of the hash.
  return stored.safeParse(kept).success ? (kept as ConfigRecord) : emptyRecord
}

export class ConfigRunner {
  private readonly ports: ConfigPorts
  private state: ConfigState
  private readonly queue: ConfigEvent[] = []
  private isDraining = false
  private drained: Promise<void> = Promise.resolve()
  private stopWaiting: () => void = () => {}
  private stopped = false

  /** @param record stored record, from `readConfigRecord`. */
  constructor(ports: ConfigPorts, record: ConfigRecord) {
    this.ports = ports
    this.state = configAtStart(record)
  }

  /** Puts the last confirmed document back on the device. */
  start(): Promise<void> {
    return this.dispatch({ type: 'started' })
  }

  get applied(): ConfigDocument | null {
    return this.state.applied
  }

  /** True if the device holds a document, or a record of one. */
  get holdsDocument(): boolean {
    const { record, applied, trial } = this.state
    return record.confirmed !== null || applied !== null || trial !== null
  }

  /** Resolves when this event and all before it have taken effect. */
  dispatch(event: ConfigEvent): Promise<void> {
    this.queue.push(event)
    if (!this.isDraining) this.drained = this.drain()
    return this.drained
  }

  /** Takes no more events; the current one is finished. */
  async stop(): Promise<void> {
    this.stopped = true
    this.stopWaiting()
    await this.drained
  }

  private async drain(): Promise<void> {
    this.isDraining = true
    try {
      for (let event = this.queue.shift(); event && !this.stopped; event = this.queue.shift()) {
        const before = this.state.applied
        const { state, effects } = stepConfig(this.state, event)
        this.state = state
        if (state.applied !== before) this.ports.changed(state.applied)
        for (const effect of effects) await this.perform(effect)
      }
    } finally {
      this.isDraining = false // synchronous with the last check of the queue, so no event is missed
    }
  }

  private async perform(effect: ConfigEffect): Promise<void> {
    switch (effect.type) {
      case 'report':
        return this.report(effect.outcome)
      case 'check':
        this.queue.push({ type: 'checked', failure: await this.check(effect.document) })
        return
      case 'install':
        this.queue.push({ type: 'installed', ...(await this.install(effect.document)) })
        return
      case 'keep':
        return this.keep(effect.record, effect.report)
      case 'await-hub':
        this.stopWaiting()
        this.stopWaiting = this.awaitHub(effect.version, effect.withinMs)
        return
      case 'stop-waiting':
        this.stopWaiting()
    }
  }

  /** A document counts as confirmed only once it is stored; a failure is reported even if it cannot be stored. */
  private async keep(record: ConfigRecord, report: Outcome | null): Promise<void> {
    try {
      await this.ports.store.save(RECORD, record)
    } catch (error) {
      this.ports.log(`cannot keep the configuration record: ${messageOfError(error)}`)
      if (report?.state === 'confirmed') return
    }
    if (report) this.report(report)
  }

  private report(outcome: Outcome): void {
    this.ports.log(`config ${outcome.version} ${outcome.state}${outcome.reason ? `: ${outcome.reason}` : ''}`)
    for (const each of outcome.refused ?? []) this.ports.log(`network ${each.network_number}: ${each.reason}`)
    this.ports.report(outcome)
  }

  private async check({ body }: ConfigDocument): Promise<Failure | null> {
    try {
      const { driver } = this.ports
      const problem = checkDocument(body)
      if (problem) return problem
      const read = routerDocument.parse(body)
      return checkSettings(read, driver.settings) ?? (await driver.validate(read))
    } catch (error) {
      return { ...checkFailure('设备未能完成检查'), log: messageOfError(error) }
    }
  }

  private async install(
    next: ConfigDocument | null,
  ): Promise<{ failure: Failure | null; refused: readonly Refusal[] | null }> {
    try {
      const staged = await this.ports.driver.stage(next ? routerDocument.parse(next.body) : null)
      const applied = await staged.apply()
      if (staged.changed.length > 0) this.ports.log(`config: changed ${staged.changed.join(', ')}`)
      return { failure: null, refused: applied ? applied.refused : null }
    } catch (error) {
      return { failure: { reason: '配置应用失败：设备未能写入配置', log: messageOfError(error) }, refused: null }
    }
  }

  /** Waits for the hub or the deadline, and dispatches the event that comes first. */
  private awaitHub(version: number, withinMs: number): () => void {
    let open = true
    const once = (type: 'reached' | 'overdue') => () => {
      if (!open) return
      close()
      void this.dispatch({ type, version })
    }
    const cancel = this.ports.clock.after(withinMs, once('overdue'))
    const close = () => {
      open = false
      cancel()
    }
    this.ports.onProof(once('reached'))
    return close
  }
}
