import { DurableObject } from 'cloudflare:workers'
import {
  type Counters,
  STATUS_COUNTERS,
  type StatusHubRpc,
  type StatusQuestion,
  type StatusReading,
} from '#contract/kernel/status.ts'
import { SlotStore } from './storage.ts'

/**
 * Durable Object that keeps the counters of all isolates for some hours. It has no socket, timer or alarm: a call writes one
 * row, and between calls the object hibernates.
 */
export class StatusHub extends DurableObject<Env> implements StatusHubRpc {
  private readonly slots: SlotStore
  private cleanedAt = 0

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.slots = new SlotStore(ctx.storage.sql)
  }

  async add(release: string, counters: Counters): Promise<void> {
    this.slots.add(release, counters, this.clean())
  }

  async sample(online: number): Promise<void> {
    this.slots.sample(online, this.clean())
  }

  async read(question: StatusQuestion): Promise<StatusReading> {
    return this.slots.read(question)
  }

  /** Deletes old rows from time to time; returns the time. */
  private clean(): number {
    const now = Date.now()
    if (now - this.cleanedAt >= STATUS_COUNTERS.cleanMs) {
      this.cleanedAt = now
      this.slots.deleteOld(now)
    }
    return now
  }
}
