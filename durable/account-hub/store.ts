import { SESSION } from '../../worker/contract/limits.ts'
import { driverOf, openDb } from '../../worker/db/client.ts'
import { unreadCount } from '../../worker/features/live/queries.ts'

export const readUnread = (env: Env, accountId: number): Promise<number> =>
  unreadCount(openDb(driverOf(env)), accountId)

const ENDED_MS = 2 * 1000 * SESSION.ticketSeconds
const SEEN_MS = SESSION.refreshDays * 86_400_000

/** Which session watches which hub, and which sessions have just ended. */
export class SessionRegister {
  private readonly sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS watchers (
        session_id TEXT NOT NULL, hub TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (session_id, hub)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS ended (session_id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;`)
  }

  /** A ticket outlives its session by seconds: a socket opened with it in that time is refused. */
  hasEnded(sessionId: string, now: number): boolean {
    const rows = this.sql.exec('SELECT 1 FROM ended WHERE session_id = ? AND at > ?', sessionId, now - ENDED_MS)
    return rows.toArray().length > 0
  }

  watch(sessionId: string, hub: string, now: number): void {
    this.sql.exec('INSERT OR REPLACE INTO watchers (session_id, hub, at) VALUES (?, ?, ?)', sessionId, hub, now)
    this.sql.exec('DELETE FROM watchers WHERE at < ?', now - SEEN_MS) // left behind by hubs that crashed
  }

  unwatch(sessionId: string, hub: string): void {
    this.sql.exec('DELETE FROM watchers WHERE session_id = ? AND hub = ?', sessionId, hub)
  }

  /** Hubs that these sessions watch; they stay listed until each hub says its sockets are closed. */
  end(sessionIds: readonly string[], now: number): string[] {
    this.sql.exec('DELETE FROM ended WHERE at <= ?', now - ENDED_MS)
    const hubs = new Set<string>()
    for (const id of sessionIds) {
      this.sql.exec('INSERT OR REPLACE INTO ended (session_id, at) VALUES (?, ?)', id, now)
      const rows = this.sql.exec<{ hub: string }>('SELECT hub FROM watchers WHERE session_id = ?', id)
      for (const { hub } of rows) hubs.add(hub)
    }
    return [...hubs]
  }
}
