import type { AccountHubRpc, HubKind, HubName, SessionState } from '#contract/kernel/hubs.ts'
import { SESSION } from '#contract/login/limits.ts'
import { isKeyOf, versionOfKey } from '#domain/account/watch-key.ts'

/* Storage of an account's hub: cursor of service ends, and the register of watching sessions. */

/** An access token outlives its session: ended sessions are kept longer than any token of theirs is valid. */
export const ENDED_MS = (SESSION.accessMinutes + 1) * 60_000
const WATCHER_MAX_AGE_MS = SESSION.refreshDays * 86_400_000

type Kv = Pick<DurableObjectStorage, 'kv'>

/** Missing while a notice waits for its read. */
const READ_KEY = 'sessionsReadBy'
/** Raised where a read stores more than before; a release before this wrote its version. */
const READ_REVISION = 1

/** Register of which session watches which hub, and which sessions have ended of late. */
export class SessionRegister {
  private readonly storage: Kv
  private readonly sql: SqlStorage
  /** Notices that asked for a read. */
  private notices = 0

  constructor(storage: Kv & { readonly sql: SqlStorage }) {
    this.storage = storage
    this.sql = storage.sql
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS watchers (
        session_id TEXT NOT NULL, hub TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (session_id, hub)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS ended (session_id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;`)
  }

  /** True if the hub has read the rows since the last notice: what it stores of them is current, also after a restart. */
  get isRead(): boolean {
    return this.storage.kv.get(READ_KEY) === READ_REVISION
  }

  hasEnded(sessionId: string, now: number): boolean {
    const rows = this.sql.exec('SELECT 1 FROM ended WHERE session_id = ? AND at > ?', sessionId, now - ENDED_MS)
    return rows.toArray().length > 0
  }

  /** Stored, and so known after a hibernation too: a notice wakes the hub. */
  stateOf({ id, version }: Parameters<AccountHubRpc['sessionState']>[0], now: number): SessionState {
    const keys = 'SELECT session_id AS key FROM ended WHERE session_id >= ? AND session_id < ? AND at > ?'
    const ended = this.sql.exec<{ key: string }>(keys, id, `${id}/`, now - ENDED_MS).toArray()
    if (ended.some(({ key }) => isKeyOf(id, key) && versionOfKey(key) >= version)) return 'ended'
    return this.isRead ? 'open' : 'unread'
  }

  /** A notice has come: sessions may have ended that no row here names yet. */
  outdate(): void {
    this.notices += 1
    this.storage.kv.delete(READ_KEY)
  }

  /** Begins a read of the rows. The returned function ends it: the register knows all notices that came before. */
  startRead(): () => void {
    const covered = this.notices
    return () => {
      if (covered === this.notices && !this.isRead) this.storage.kv.put(READ_KEY, READ_REVISION)
    }
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
    for (const id of sessionIds) this.sql.exec('INSERT OR IGNORE INTO ended (session_id, at) VALUES (?, ?)', id, now)
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
