import type { HubName } from '../../worker/contract/hubs.ts'
import { PRESENCE } from '../../worker/contract/hub-limits.ts'
import { loadLeaseCursor, saveLeaseCursor } from './storage.ts'

export interface PresentRouter {
  readonly id: number
  readonly hub: HubName
  /** Of all present routers of the account. */
  readonly total: number
}

interface Parts {
  readonly storage: Pick<DurableObjectStorage, 'kv'>
  /** In order of `id`. */
  read(afterId: number, limit: number): Promise<readonly PresentRouter[]>
  check(hubs: readonly HubName[]): Promise<unknown>
}

/**
 * Checks the leases of an account's present routers while a console is open or alerts wait for them: one page an alarm, because the platform
 * limits the calls of one, and as many alarms as it takes to check each router in the given time.
 */
export class LeaseSweep {
  private readonly parts: Parts
  /** Null: no page was checked since the hub woke. */
  private nextAt: number | null = null

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** A check may come sooner where somebody begins to watch. */
  dueAt(now: number, everyMs: number): number {
    return Math.min(this.nextAt ?? Infinity, now + everyMs)
  }

  isDue(now: number): boolean {
    return this.nextAt === null || this.nextAt <= now
  }

  async run(now: number, everyMs: number): Promise<void> {
    const { storage, read, check } = this.parts
    const { consoleCheckPage } = PRESENCE
    this.nextAt = now + everyMs // also where this page fails
    const cursor = loadLeaseCursor(storage)
    const rows = await read(cursor, consoleCheckPage + 1) // one more shows whether another page follows
    const page = rows.slice(0, consoleCheckPage)
    const next = rows.length > page.length ? (page.at(-1)?.id ?? 0) : 0
    if (next !== cursor) saveLeaseCursor(storage, next)
    const pages = Math.max(1, Math.ceil((rows[0]?.total ?? 0) / consoleCheckPage))
    this.nextAt = now + Math.floor(everyMs / pages)
    await check(page.map(({ hub }) => hub))
  }
}
