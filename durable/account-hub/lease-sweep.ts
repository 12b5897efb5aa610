import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import type { PresentRouter } from './database.ts'

/* Checks the leases of an account's present routers: often while a console is open or alerts wait for them. */

interface LeaseSweepDeps {
  readonly storage: Pick<DurableObjectStorage, 'kv'>
  /** Reads a page of present routers, in order of `id`. */
  read(afterId: number, limit: number): Promise<readonly PresentRouter[]>
  check(routers: readonly Pick<PresentRouter, 'hub' | 'isUnreadable'>[]): Promise<unknown>
  /** Names of members with a link that is up. */
  linked(): ReadonlySet<string>
}

/** Wait after a router went offline before its peers are checked: their lost links are known by then. */
const SOON_MS = 10_000
const SOON_GAP_MS = 60_000

/** Id of the router whose lease was checked last; 0 if the next check begins with the first router. */
const CURSOR_KEY = 'leaseCursor'
/** True from the presence of a router until a check finds none. */
const PRESENT_KEY = 'leaseHeld'
/** Start of the newest round that left out no router, for alerts alone. */
const WHOLE_KEY = 'leaseRound'

/**
 * One page per alarm, because the platform limits the calls of one; as many alarms as needed to check each router in the
 * given time. For alerts alone, points with a link to a centre are left out of most rounds: the centre reports a silent point,
 * which checks its lease at once.
 */
export class LeaseSweep {
  private readonly deps: LeaseSweepDeps
  /** Time of the next page; null: no page was checked since the hub woke. */
  private nextAt: number | null = null
  private ranAt = 0
  /** Number of presences that were noted since the hub woke. */
  private noted = 0

  constructor(deps: LeaseSweepDeps) {
    this.deps = deps
  }

  /** False where the last check found no present router, and none has connected since. */
  get hasPresent(): boolean {
    return this.deps.storage.kv.get(PRESENT_KEY) === true
  }

  /** To be called when a router of the account is present. */
  notePresent(): void {
    this.noted += 1
    if (!this.hasPresent) this.deps.storage.kv.put(PRESENT_KEY, true)
  }

  /** The check may come sooner when somebody begins to watch. */
  dueAt(now: number, everyMs: number): number {
    return Math.min(this.nextAt ?? Infinity, now + everyMs)
  }

  /**
   * True if a page is due. It is none any more from then on: an alarm that is set while the page is awaited would otherwise
   * fire at once, for nothing.
   */
  begin(now: number, everyMs: number): boolean {
    if (this.nextAt !== null && this.nextAt > now) return false
    this.ranAt = now
    this.nextAt = now + everyMs // also if this page fails
    return true
  }

  /** After a router went offline the next check comes sooner: its peers may be offline too. */
  hasten(now: number): void {
    this.nextAt = Math.min(this.nextAt ?? Infinity, Math.max(now + SOON_MS, this.ranAt + SOON_GAP_MS))
  }

  /** `all`: also checks points with a link that is up, which each round does that begins `idleCheckMs` after the last such. */
  async run(now: number, everyMs: number, all: boolean): Promise<void> {
    const { storage, read, check, linked } = this.deps
    const { consoleCheckPage } = PRESENCE
    const cursor = storage.kv.get<number>(CURSOR_KEY) ?? 0
    const isWhole = all || this.isWholeRound(now, everyMs, cursor === 0)
    const { noted } = this
    const rows = await read(cursor, consoleCheckPage + 1) // one more shows whether another page follows
    if (rows.length > 0) this.notePresent()
    else if (cursor === 0 && noted === this.noted) storage.kv.delete(PRESENT_KEY)
    const page = rows.slice(0, consoleCheckPage)
    const next = rows.length > page.length ? (page.at(-1)?.id ?? 0) : 0
    if (next !== cursor) storage.kv.put(CURSOR_KEY, next)
    const pages = Math.max(1, Math.ceil((rows[0]?.total ?? 0) / consoleCheckPage))
    this.nextAt = now + Math.floor(everyMs / pages)
    const watched = isWhole ? new Set() : linked()
    await check(page.filter(({ name, isPoint }) => isPoint === 0 || !watched.has(name)))
  }

  /** A round may take several pages, the last of them less than `everyMs` after its start. */
  private isWholeRound(now: number, everyMs: number, isFirstPage: boolean): boolean {
    const { kv } = this.deps.storage
    const startedAt = kv.get<number>(WHOLE_KEY) ?? -Infinity
    if (!isFirstPage) return now < startedAt + everyMs
    if (now < startedAt + PRESENCE.idleCheckMs) return false
    kv.put(WHOLE_KEY, now)
    return true
  }
}
