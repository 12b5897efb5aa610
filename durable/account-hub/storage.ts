import type { HubKind, HubName } from '#contract/kernel/hubs.ts'
import { SESSION } from '#contract/login/limits.ts'

/* Storage of an account's hub: cursor of service ends, and the register of watching sessions. */

/** A ticket outlives its session by seconds: ended sessions are kept twice as long. */
export const ENDED_MS = 2 * 1000 * SESSION.ticketSeconds
const WATCHER_MAX_AGE_MS = SESSION.refreshDays * 86_400_000

type Kv = Pick<DurableObjectStorage, 'kv'>

/** Register of which session watches which hub, and which sessions have just ended. */
export class SessionRegister {
  private readonly sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS watchers (
        session_id TEXT NOT NULL, hub TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (session_id, hub)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS ended (session_id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;`)
  }

  hasEnded(sessionId: string, now: number): boolean {
    const rows = this.sql.exec('SELECT 1 FROM ended WHERE session_id = ? AND at > ?', sessionId, now - ENDED_MS)
    return rows.toArray().length > 0
  }

  watch(sessionId: string, kind: HubKind, hub: HubName, now: number): void {
    const write = 'INSERT OR REPLACE INTO watchers (session_id, hub, kind, at) VALUES (?, ?, ?, ?)'
    this.sql.exec(write, sessionId, hub, kind, now)
    this.sql.exec('DELETE FROM watchers WHERE at < ?', now - WATCHER_MAX_AGE_MS) // left behind by hubs that crashed
  }

  unwatch(sessionId: string, hub: HubName): void {
    this.sql.exec('DELETE FROM watchers WHERE session_id = ? AND hub = ?', sessionId, hub)
  }

  watchingSessions(): string[] {
    const rows = this.sql.exec<{ session_id: string }>('SELECT DISTINCT session_id FROM watchers')
    return rows.toArray().map(({ session_id }) => session_id)
  }

  markEnded(sessionIds: readonly string[], now: number): void {
    this.sql.exec('DELETE FROM ended WHERE at <= ?', now - ENDED_MS)
    for (const id of sessionIds) this.sql.exec('INSERT OR REPLACE INTO ended (session_id, at) VALUES (?, ?)', id, now)
  }

  /** Hubs that ended sessions still watch. A watcher remains listed until its hub has closed the sockets. */
  hubsOfEnded() {
    const rows = this.sql.exec<{ hub: HubName; kind: HubKind; sessions: string }>(
      `SELECT w.hub, w.kind, json_group_array(w.session_id) AS sessions
        FROM watchers w JOIN ended e ON e.session_id = w.session_id GROUP BY w.hub`,
    )
    return rows
      .toArray()
      .map(({ sessions, ...watched }) => ({ ...watched, sessionIds: JSON.parse(sessions) as string[] }))
  }
}

/** End of the last service term that was processed. */
export const loadServiceCursor = ({ kv }: Kv): number | undefined => kv.get<number>('serviceCursor')
export const saveServiceCursor = ({ kv }: Kv, at: number): void => kv.put('serviceCursor', at)
/** End of the next service term; null for none. */
export const loadServiceDue = ({ kv }: Kv): number | null => kv.get<number>('serviceDue') ?? null
export function saveServiceDue(storage: Kv, at: number | null): void {
  if (loadServiceDue(storage) !== at) storage.kv.put('serviceDue', at)
}
