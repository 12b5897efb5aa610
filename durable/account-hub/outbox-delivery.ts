import type { Hubs, OutboxEntry } from '#contract/kernel/hubs.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { openPrimary } from '#db/client.ts'
import { type EntriesByTask, addEntries, deliverOutbox } from '#db/hub-outbox.ts'
import { logFault } from '#durable/fault-log.ts'

/* Delivers the hub outbox entries of an account's large writes from memory, one delivery at a time, at an even pace. */

/** Hubs whose rows are deleted together. */
const PORTION = 200

interface OutboxDeliveryDeps {
  readonly env: Env
  readonly hub: string
  readonly hubs: Hubs
  waitUntil(work: Promise<unknown>): void
}

/**
 * Each hub is called once for all writes that wait for it. The rows stay until they are delivered; the cron sweeps those
 * that a crash leaves.
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

  /** Next portion: the entries that have waited longest. */
  private take(): OutboxEntry[] {
    const portion = [...this.waiting].slice(0, PORTION)
    for (const [key] of portion) this.waiting.delete(key)
    return portion.flatMap(([, entries]) => entries)
  }
}
