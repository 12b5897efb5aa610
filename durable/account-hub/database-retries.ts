import { DATABASE_RETRY } from '#contract/kernel/hub-limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { pause, within } from '#db/concurrency.ts'
import type { WaitingHub } from '#durable/database-away.ts'

/* Hubs of routers and networks that wait for a database that is away: one of them is asked to try again, and after its success the others. */

interface DatabaseRetriesDeps {
  readonly sql: SqlStorage
  /** Asks a hub to try again; false if the database has refused it. */
  retry(waiting: WaitingHub): Promise<boolean>
  onChanged(): void
}

/** Keeps the hubs in the order of their next try. A hub that does not answer is left to its own back-off. */
export class DatabaseRetries {
  private readonly deps: DatabaseRetriesDeps
  private readonly waiting: Map<HubName, WaitingHub>
  private nextAt = 0
  private isRunning = false

  constructor(deps: DatabaseRetriesDeps) {
    this.deps = deps
    deps.sql.exec(
      'CREATE TABLE IF NOT EXISTS waiting_hubs (hub TEXT PRIMARY KEY, kind TEXT NOT NULL) STRICT, WITHOUT ROWID',
    )
    const rows = deps.sql
      .exec<{ hub: HubName; kind: WaitingHub['kind'] }>('SELECT hub, kind FROM waiting_hubs')
      .toArray()
    this.waiting = new Map(rows.map((row) => [row.hub, row]))
  }

  add(waiting: WaitingHub, now: number): void {
    const { hub, kind } = waiting
    if (this.waiting.has(hub)) return
    if (this.waiting.size === 0) this.nextAt = Math.max(this.nextAt, now + DATABASE_RETRY.probeMs)
    this.waiting.set(hub, waiting)
    this.deps.sql.exec('INSERT OR IGNORE INTO waiting_hubs (hub, kind) VALUES (?, ?)', hub, kind)
    this.deps.onChanged()
  }

  dueAt = (): number | null => (this.waiting.size === 0 ? null : this.nextAt)

  async run(now: number): Promise<void> {
    if (this.waiting.size === 0 || this.isRunning || this.nextAt > now) return
    this.isRunning = true
    this.nextAt = now + DATABASE_RETRY.probeMs
    try {
      if (await this.probe()) await this.retryRest()
    } finally {
      this.isRunning = false
      this.deps.onChanged()
    }
  }

  /** True once a hub could save. Hubs that do not answer say nothing about the database: the next one is asked. */
  private async probe(): Promise<boolean> {
    const hubs = [...this.waiting.values()] // without those that come meanwhile, or come again
    for (const hub of hubs) {
      const isDone = await this.retry(hub)
      if (isDone !== null) return isDone
    }
    return false
  }

  private async retryRest(): Promise<void> {
    let isAway = false
    await Promise.all(
      [...this.waiting.values()].map(async (hub, place) => {
        await pause(place * DATABASE_RETRY.gapMs)
        if (!isAway && (await this.retry(hub)) === false) isAway = true
      }),
    )
  }

  /** Null: the hub did not answer. */
  private async retry(waiting: WaitingHub): Promise<boolean | null> {
    const { hub } = waiting
    const isDone = await within(DATABASE_RETRY.answerMs, this.deps.retry(waiting)).catch(() => null)
    this.waiting.delete(hub)
    if (isDone === false) this.waiting.set(hub, waiting) // behind the others
    else this.deps.sql.exec('DELETE FROM waiting_hubs WHERE hub = ?', hub)
    return isDone
  }
}
