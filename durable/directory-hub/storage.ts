import type { DirectoryCounts } from '#contract/ldap/hub.ts'
import { createHash } from 'node:crypto'
import { LDAP, LDAP_SIGN_IN } from '#contract/ldap/limits.ts'
import type { DirectoryTrouble } from '#contract/kernel/hubs.ts'
import type { ldapConfigs } from '#db/schema/ldap.ts'
import type { DirectoryEntry } from '#domain/ldap/directory-entry.ts'
import type { DirectoryMessage } from '#domain/ldap/messages.ts'
import type { Change, PlannedMember } from '#domain/ldap/plan.ts'
import { NO_COUNTS, type Run, type Outside } from '#domain/ldap/run.ts'
import type { KeptRow } from '#features/ldap/sql/members.ts'
import type { toRunRow } from './database.ts'

/* Storage of the directory's hub in its own SQLite: state, the last complete listing in packed rows, undo records. */

/** State of the hub in one row: the platform bills each written row, and a run that changes nothing writes this one. */
export interface HubState {
  readonly run: Run | null
  /** Keys of members that a run would disable, while it waits for a confirmation. */
  readonly asked: readonly string[]
  /** Revision of the configuration at the last sync that succeeded. */
  readonly ranRevision: number | null
  /** Revision of the configuration at the stored listing of users: the listing of an earlier directory is not shown. */
  readonly listedRevision: number | null
  readonly listedAt: number | null
  /** Digest of the listing. */
  readonly hash: string
  /** End and duration of the last run. */
  readonly updatedAt: number | null
  readonly lastedMs: number
  /** Actor of that run; empty for one of before. */
  readonly actor: string
  /** Error message of the last run; empty if it succeeded. */
  readonly fault: string
  /** Counts that the newest ended run has written. */
  readonly written: DirectoryCounts
  readonly failures: number
  readonly dueAt: number | null
  readonly certificateWarned: number | null
  /** Troubles last reported to the account's hub. */
  readonly troubles: readonly DirectoryTrouble[]
  /** Outcome of a run, which D1 does not have yet. */
  readonly outcome: PendingOutcome | null
  /** Rows of runs that asked and will not go on, which D1 does not have yet. */
  readonly superseded: readonly RunRow[]
}

type RunRow = ReturnType<typeof toRunRow>

export interface PendingOutcome {
  /** Troubles not yet reported to the account's hub; null if nothing changed. */
  readonly troubles: readonly DirectoryTrouble[] | null
  readonly row: RunRow | null
  readonly messages: readonly DirectoryMessage[]
}

const EMPTY: HubState = {
  run: null,
  asked: [],
  ranRevision: null,
  listedRevision: null,
  listedAt: null,
  hash: '',
  updatedAt: null,
  lastedMs: 0,
  actor: '',
  fault: '',
  written: NO_COUNTS,
  failures: 0,
  dueAt: null,
  certificateWarned: null,
  troubles: [],
  outcome: null,
  superseded: [],
}

/** A successful check: a keyed digest of its values, the password included. */
interface Checked {
  readonly digest: string
  readonly at: number
}

type Packed = readonly [
  id: string,
  dn: string,
  username: string,
  displayName: string,
  description: string,
  phones: readonly string[],
  isDisabled: 0 | 1,
]

export class DirectoryStorage {
  readonly undo: UndoLog
  private readonly storage: Pick<DurableObjectStorage, 'kv' | 'sql'>

  constructor(storage: Pick<DurableObjectStorage, 'kv' | 'sql'>) {
    this.storage = storage
    this.undo = new UndoLog(storage)
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS listing (part INTEGER PRIMARY KEY, users TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS tries (
        directory_id TEXT PRIMARY KEY, count INTEGER NOT NULL, window_end INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;`)
  }

  get state(): HubState {
    return { ...EMPTY, ...this.storage.kv.get<HubState>('state') }
  }

  update(change: Partial<HubState>): void {
    this.storage.kv.put('state', { ...this.state, ...change })
  }

  /** Account of the hub's row; undefined before the first read. */
  get owner(): number | undefined {
    return this.storage.kv.get<number>('owner')
  }

  /** Records the account of the hub's row; false if another one's is stored. */
  recordOwner(accountId: number): boolean {
    const { owner } = this
    if (owner === undefined) this.storage.kv.put('owner', accountId)
    return owner === undefined || owner === accountId
  }

  get checked(): Checked | undefined {
    return this.storage.kv.get<Checked>('checked')
  }

  set checked(checked: Checked) {
    this.storage.kv.put('checked', checked)
  }

  /** Writes the rows that differ and returns the digest of the listing. Directories answer in any order. */
  saveListing(users: readonly DirectoryEntry[]): string {
    const sorted = users.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(pack)
    const { sql } = this.storage
    const known = new Map(this.rows().map(({ part, users: text }) => [part, text]))
    const digest = createHash('sha256')
    let part = 0
    for (let from = 0; from < sorted.length; from += LDAP.packed, part++) {
      const text = JSON.stringify(sorted.slice(from, from + LDAP.packed))
      digest.update(text)
      if (known.get(part) !== text) sql.exec('INSERT OR REPLACE INTO listing (part, users) VALUES (?, ?)', part, text)
    }
    if (known.size > part) sql.exec('DELETE FROM listing WHERE part >= ?', part)
    return digest.digest('hex').slice(0, 32)
  }

  listing(): DirectoryEntry[] {
    return this.rows().flatMap(({ users }) => (JSON.parse(users) as Packed[]).map(unpack))
  }

  /** Deletes a closed directory's data; undo stays, and the message that its alerts are over. */
  clear(): void {
    this.storage.sql.exec('DELETE FROM listing')
    const outcome = this.state.troubles.length > 0 ? { row: null, messages: [], troubles: [] } : null
    this.update({ run: null, dueAt: null, fault: '', failures: 0, listedRevision: null, hash: '', outcome })
  }

  private rows() {
    return this.storage.sql
      .exec<{ part: number; users: string }>('SELECT part, users FROM listing ORDER BY part')
      .toArray()
  }

  /** Counts a password try (`key`: its `directory_id`, or a hash of an unknown name). False at the limit. */
  recordAttempt(key: string, now: number): boolean {
    const { sql } = this.storage
    sql.exec('DELETE FROM tries WHERE window_end <= ?', now)
    const [row] = sql
      .exec<{ count: number }>(
        `INSERT INTO tries (directory_id, count, window_end) VALUES (?, 1, ?)
          ON CONFLICT (directory_id) DO UPDATE SET count = min(count + 1, ?) RETURNING count`,
        key,
        now + LDAP_SIGN_IN.minutes * 60_000,
        LDAP_SIGN_IN.failures + 1,
      )
      .toArray()
    return (row?.count ?? 0) <= LDAP_SIGN_IN.failures
  }

  giveBackTry(key: string): void {
    this.storage.sql.exec('UPDATE tries SET count = max(count - 1, 0) WHERE directory_id = ?', key)
  }

  forgetTries(key: string): void {
    this.storage.sql.exec('DELETE FROM tries WHERE directory_id = ?', key)
  }
}

const pack = (user: DirectoryEntry): Packed => [
  user.id,
  user.dn,
  user.username,
  user.displayName,
  user.description,
  user.phones,
  user.isDisabled ? 1 : 0,
]

const unpack = ([id, dn, username, displayName, description, phones, isDisabled]: Packed): DirectoryEntry => ({
  id,
  dn,
  username,
  displayName,
  description,
  phones,
  isDisabled: isDisabled === 1,
})

/** Undo record of one portion of a write. */
export type UndoPart =
  | {
      readonly kind: 'added'
      readonly uuids: readonly string[]
      /** Keys of the members in the same order; absent in records of before. */
      readonly uids?: readonly string[]
      readonly outside?: Outside | null
    }
  | { readonly kind: 'changed'; readonly changes: readonly Change[] }
  | { readonly kind: 'disabled' | 'enabled'; readonly members: readonly PlannedMember[] }
  | { readonly kind: 'deleted'; readonly rows: readonly KeptRow[] }
  | { readonly kind: 'config'; readonly row: typeof ldapConfigs.$inferSelect }

/** Portion whose batch was sent and is not answered yet. */
interface PendingPortion {
  readonly runId: string
  readonly portion: number
}

const PENDING = 'pending_portion'

/**
 * Undo records of runs and tasks, a row a portion. A record is stored before the batch that it takes back is sent (the
 * platform holds a hub's requests until its writes are durable) and resolved when the batch has answered: an answer that is
 * lost loses no record, and the run's row in D1 says whether the batch was committed.
 */
class UndoLog {
  private readonly storage: Pick<DurableObjectStorage, 'kv' | 'sql'>

  constructor(storage: Pick<DurableObjectStorage, 'kv' | 'sql'>) {
    this.storage = storage
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS undo (
        run_id TEXT NOT NULL, part INTEGER NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run_id, part)
      ) STRICT, WITHOUT ROWID;`)
  }

  get pending(): PendingPortion | undefined {
    return this.storage.kv.get<PendingPortion>(PENDING)
  }

  /** A repeated attempt replaces the record of the one before. */
  prepare(pending: PendingPortion, parts: readonly UndoPart[], now: number): void {
    const { sql, kv } = this.storage
    sql.exec('DELETE FROM undo WHERE at < ?', now - LDAP.undoMs)
    kv.put(PENDING, pending)
    sql.exec(
      'INSERT OR REPLACE INTO undo (run_id, part, at, data) VALUES (?, ?, ?, ?)',
      pending.runId,
      pending.portion,
      now,
      JSON.stringify(parts),
    )
  }

  resolvePending(isCommitted: boolean): void {
    const { pending } = this
    if (!pending) return
    const { sql, kv } = this.storage
    if (!isCommitted) sql.exec('DELETE FROM undo WHERE run_id = ? AND part = ?', pending.runId, pending.portion)
    kv.delete(PENDING)
  }

  /** Newest part first; empty once the record has expired. */
  parts(runId: string, now: number): UndoPart[] {
    const rows = this.storage.sql.exec<{ data: string }>(
      'SELECT data FROM undo WHERE run_id = ? AND at >= ? ORDER BY part DESC',
      runId,
      now - LDAP.undoMs,
    )
    return rows.toArray().flatMap(({ data }) => JSON.parse(data) as UndoPart[])
  }

  nextPortion(runId: string): number {
    const row = this.storage.sql
      .exec<{ next: number }>('SELECT coalesce(max(part) + 1, 0) AS next FROM undo WHERE run_id = ?', runId)
      .one()
    return row.next
  }

  delete(runId: string): void {
    this.storage.sql.exec('DELETE FROM undo WHERE run_id = ?', runId)
  }
}

/** Counts of the changes in portions with these undo records; `removable` counts the deleted ones. */
export function countsOfParts(parts: readonly UndoPart[]): DirectoryCounts {
  const counts: { -readonly [K in keyof DirectoryCounts]: number } = { ...NO_COUNTS }
  for (const part of parts) {
    switch (part.kind) {
      case 'added':
        counts.added += part.uuids.length
        break
      case 'changed':
        counts.changed += part.changes.length
        break
      case 'deleted':
        counts.removable += part.rows.length
        break
      case 'disabled':
      case 'enabled':
        counts[part.kind] += part.members.length
        break
      case 'config':
        break
      default:
        part satisfies never
    }
  }
  return counts
}

/** Added users who did not join the associated network. */
export const outsideOf = (parts: readonly UndoPart[]): Outside[] =>
  parts.flatMap((part) => (part.kind === 'added' && part.outside ? [part.outside] : []))

export const addCounts = (a: DirectoryCounts, b: DirectoryCounts): DirectoryCounts => ({
  added: a.added + b.added,
  changed: a.changed + b.changed,
  disabled: a.disabled + b.disabled,
  enabled: a.enabled + b.enabled,
  conflicts: a.conflicts + b.conflicts,
  removable: a.removable + b.removable,
})
