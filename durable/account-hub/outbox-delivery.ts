import type { Hubs, OutboxEntry } from '#contract/kernel/hubs.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { openPrimary } from '#db/client.ts'
import { type EntriesByTask, addEntries, deliverOutbox } from '#db/hub-outbox.ts'
import { logFault } from '#durable/fault-log.ts'

/** Hubs whose rows are deleted together. */
const PORTION = 200

interface OutboxDeliveryDeps {
  readonly env: Env
  readonly hub: string
  readonly hubs: Hubs
  waitUntil(work: Promise<unknown>): void
}

/**
 * Hub outbox entries of the account's large writes, in memory: one delivery at a time, at an even pace, and each hub once
 * for all writes that wait for it. The rows stay until they are delivered, and the cron sweeps those that a crash leaves.
 */
export class OutboxDelivery {
  private readonly deps: OutboxDeliveryDeps
  private readonly waiting: EntriesByTask = new Map()
  private isRunning = false

  constructor(deps: OutboxDeliveryDeps) {
    this.deps = deps
  }

  add(entries: readonly OutboxEntry[]): void {
    addEntries(this.waiting, entries)
    if (!this.isRunning) this.deps.waitUntil(this.run())
  }

  private async run(): Promise<void> {
    const { env, hub, hubs } = this.deps
    this.isRunning = true
    try {
      while (this.waiting.size > 0)
        await deliverOutbox(openPrimary(env), hubs, this.take(), Date.now(), { gapMs: HUB_OUTBOX.callGapMs })
    } catch (error) {
      this.waiting.clear()
      logFault(hub, 'outbox', error)
    } finally {
      this.isRunning = false
    }
  }

  /** The next portion, those that have waited longest first. */
  private take(): OutboxEntry[] {
    const portion = [...this.waiting].slice(0, PORTION)
    for (const [key] of portion) this.waiting.delete(key)
    return portion.flatMap(([, entries]) => entries)
  }
}
