import { SILENT_HUB } from '#contract/kernel/hub-limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { earliest } from '#contract/kernel/time.ts'
import { mapLimit, within } from '#db/concurrency.ts'
import { logFault } from '#durable/fault-log.ts'
import type { SilentRouter } from './database.ts'

/* Router hubs that do not answer: their failed checks, and from when on their routers count as unreadable (未知). */

/** A hub whose last check failed. */
export interface SilentHub {
  readonly hub: HubName
  /** Time of the first failed check of this row of failures, and their number. */
  readonly since: number
  readonly checks: number
  readonly nextAt: number
  /** 1: lists, networks and consoles show its router as unreadable. */
  readonly shown: 0 | 1
}

const CONCURRENCY = 20

/** Pure: a hub after one more failed check. */
function afterFailure(known: SilentHub | undefined, hub: HubName, now: number): SilentHub {
  const { since, checks, shown } = known ?? { since: now, checks: 0, shown: 0 }
  const everyMs = shown === 1 ? SILENT_HUB.markedEveryMs : SILENT_HUB.everyMs
  return { hub, since, checks: checks + 1, nextAt: now + everyMs, shown }
}

const isUnreadable = ({ checks, since }: Pick<SilentHub, 'checks' | 'since'>, now: number): boolean =>
  checks >= SILENT_HUB.checks && now - since >= SILENT_HUB.unreadableMs

/** An object that a deploy resets is back at once: that is no answer, and no failure either. */
const isDeploy = (error: unknown): boolean => /code was updated/i.test(String(error))

interface SilentHubsDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'kv'>
  /** Release of the Worker; a new one starts all counts over. */
  readonly release: string | undefined
  /** Asks a hub. `isShown`: its answer also makes it save its state and notify the others. */
  check(hub: HubName, isShown: boolean): Promise<void>
  /** Marks the rows of these routers, and returns those that are marked. */
  mark(hubs: readonly HubName[], now: number): Promise<readonly SilentRouter[]>
  /** Notifies networks and consoles. */
  show(router: SilentRouter): Promise<void>
  onChanged(): void
}

const RELEASE_KEY = 'silentRelease'

export class SilentHubs {
  private readonly deps: SilentHubsDeps
  private readonly known: Map<HubName, SilentHub>

  constructor(deps: SilentHubsDeps) {
    this.deps = deps
    const { sql, kv } = deps.storage
    sql.exec(`CREATE TABLE IF NOT EXISTS silent_hubs (
      hub TEXT PRIMARY KEY, since INTEGER NOT NULL, checks INTEGER NOT NULL, nextAt INTEGER NOT NULL, shown INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`)
    const rows = sql.exec<Record<string, SqlStorageValue> & SilentHub>('SELECT * FROM silent_hubs').toArray()
    this.known = new Map(rows.map((row) => [row.hub, row]))
    if (kv.get(RELEASE_KEY) === deps.release) return
    for (const { hub, shown } of rows) if (shown === 0) this.forget([hub])
    if (deps.release !== undefined) kv.put(RELEASE_KEY, deps.release)
  }

  hubs = (): readonly HubName[] => [...this.known.keys()]

  has = (hub: HubName): boolean => this.known.has(hub)

  /** Counts the failed check of another hub or of the sweep. From then on this register checks the hub itself. */
  suspect(hubs: readonly HubName[], now: number): void {
    const fresh = hubs.filter((hub) => !this.known.has(hub))
    for (const hub of fresh) this.save(afterFailure(undefined, hub, now))
    if (fresh.length > 0) this.deps.onChanged()
  }

  /** The hub has answered, or its router is gone. */
  forget(hubs: readonly HubName[]): void {
    for (const hub of hubs) {
      if (this.known.delete(hub)) this.deps.storage.sql.exec('DELETE FROM silent_hubs WHERE hub = ?', hub)
    }
  }

  dueAt = (): number | null => earliest([...this.known.values()].map(({ nextAt }) => nextAt))

  async run(now: number): Promise<void> {
    const due = [...this.known.values()].filter(({ nextAt }) => nextAt <= now).slice(0, SILENT_HUB.page)
    if (due.length === 0) return
    const results = await mapLimit(due, CONCURRENCY, ({ hub, shown }) =>
      within(SILENT_HUB.answerMs, this.deps.check(hub, shown === 1)),
    )
    const silent = due.flatMap(({ hub }, i) => {
      const result = results[i]
      if (result?.status !== 'rejected') this.forget([hub])
      return result?.status === 'rejected' ? this.onFailure(hub, result.reason, now) : []
    })
    if (silent.length > 0) await this.showAll(silent, now)
  }

  /** The hub, if its router has just become unreadable. A hub that has saved its state meanwhile is known no more. */
  private onFailure(hub: HubName, error: unknown, now: number): HubName[] {
    const known = this.known.get(hub)
    if (known === undefined) return []
    const next = isDeploy(error) ? { ...known, nextAt: now + SILENT_HUB.everyMs } : afterFailure(known, hub, now)
    this.save(next)
    if (next.shown === 1 || !isUnreadable(next, now)) return []
    logFault(hub, 'unreadable', error, { since: next.since, checks: next.checks })
    return [hub]
  }

  /** Rows first, so that hubs which read them meanwhile agree. What fails is repeated with the next check. */
  private async showAll(hubs: readonly HubName[], now: number): Promise<void> {
    const marked = await this.deps.mark(hubs, now)
    this.forget(hubs.filter((hub) => !marked.some((router) => router.hub === hub))) // their rows call them present no more
    for (const router of marked) {
      const known = this.known.get(router.hub)
      if (known === undefined) continue
      await this.deps.show(router)
      this.save({ ...known, shown: 1 })
    }
  }

  private save(row: SilentHub): void {
    const { hub, since, checks, nextAt, shown } = row
    this.known.set(hub, row)
    const write = 'INSERT OR REPLACE INTO silent_hubs (hub, since, checks, nextAt, shown) VALUES (?, ?, ?, ?, ?)'
    this.deps.storage.sql.exec(write, hub, since, checks, nextAt, shown)
  }
}
