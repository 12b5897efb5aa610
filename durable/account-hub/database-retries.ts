import { DATABASE_RETRY } from '#contract/kernel/hub-limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { pause, within } from '#db/concurrency.ts'

/* Router hubs that wait for a database that is away: one of them is asked to try again, and after its success the others. */

interface DatabaseRetriesDeps {
  readonly sql: SqlStorage
  /** Asks a hub to try again; false if the database has refused it. */
  retry(hub: HubName): Promise<boolean>
  onChanged(): void
}

/** Keeps the hubs in the order of their next try. A hub that does not answer is left to its own back-off. */
export class DatabaseRetries {
  private readonly deps: DatabaseRetriesDeps
  private readonly waiting: Set<HubName>
  private nextAt = 0
  private isRunning = false

  constructor(deps: DatabaseRetriesDeps) {
    this.deps = deps
    deps.sql.exec('CREATE TABLE IF NOT EXISTS database_waits (hub TEXT PRIMARY KEY) STRICT, WITHOUT ROWID')
    this.waiting = new Set(
      deps.sql
        .exec<{ hub: HubName }>('SELECT hub FROM database_waits')
        .toArray()
        .map(({ hub }) => hub),
    )
  }

  add(hub: HubName, now: number): void {
    if (this.waiting.has(hub)) return
    if (this.waiting.size === 0) this.nextAt = Math.max(this.nextAt, now + DATABASE_RETRY.probeMs)
    this.waiting.add(hub)
    this.deps.sql.exec('INSERT OR IGNORE INTO database_waits (hub) VALUES (?)', hub)
    this.deps.onChanged()
  }

  dueAt = (): number | null => (this.waiting.size === 0 ? null : this.nextAt)

  async run(now: number): Promise<void> {
    if (this.isRunning || this.nextAt > now) return
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
    const hubs = [...this.waiting] // without those that come meanwhile, or come again
    for (const hub of hubs) {
      const isDone = await this.retry(hub)
      if (isDone !== null) return isDone
    }
    return false
  }

  private async retryRest(): Promise<void> {
    let isAway = false
    await Promise.all(
      [...this.waiting].map(async (hub, place) => {
        await pause(place * DATABASE_RETRY.gapMs)
        if (!isAway && (await this.retry(hub)) === false) isAway = true
      }),
    )
  }

  /** Null: the hub did not answer. */
  private async retry(hub: HubName): Promise<boolean | null> {
    const isDone = await within(DATABASE_RETRY.answerMs, this.deps.retry(hub)).catch(() => null)
    this.waiting.delete(hub)
    if (isDone === false) this.waiting.add(hub) // behind the others
    else this.deps.sql.exec('DELETE FROM database_waits WHERE hub = ?', hub)
    return isDone
  }
}
