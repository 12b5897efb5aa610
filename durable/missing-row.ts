import type { MissingKind } from '#contract/kernel/hubs.ts'
import { openPrimary } from '#db/client.ts'
import { reportMissing } from '#db/missing-rows.ts'
import type { KvStorage } from './async.ts'
import { currentRequestId, logFault, logHold } from './fault-log.ts'

/* Mark of a hub that holds a state and has found no row. That proves no deletion: the hub keeps everything. */

const KEY = 'rowMissing'

export class MissingRow {
  private readonly ctx: { readonly storage: KvStorage; readonly id: DurableObjectId }
  private readonly env: Env
  private readonly kind: MissingKind

  constructor(ctx: { readonly storage: KvStorage; readonly id: DurableObjectId }, env: Env, kind: MissingKind) {
    this.ctx = ctx
    this.env = env
    this.kind = kind
  }

  /** True from the read that found no row to the one that finds it again. */
  get isMissing(): boolean {
    return this.ctx.storage.kv.get(KEY) !== undefined
  }

  /** Sets the mark at once, and counts the row in the database. A count that fails is logged and left out. */
  async mark(serial: string | null = null): Promise<void> {
    const { name } = this.ctx.id
    if (this.isMissing || name === undefined) return
    const now = Date.now()
    this.ctx.storage.kv.put(KEY, now)
    const row = { kind: this.kind, name, serial }
    try {
      const run = { now, runId: currentRequestId() ?? '' }
      if (await reportMissing(openPrimary(this.env), row, run)) logHold(name)
    } catch (error) {
      logFault(name, 'missing row', error)
    }
  }

  /** A read has found the row. True if it was missing. */
  found(): boolean {
    return this.isMissing && this.ctx.storage.kv.delete(KEY)
  }
}
