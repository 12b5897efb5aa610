import { LDAP } from '#contract/ldap/limits.ts'
import type { KeptRow } from '#features/ldap/sql/members.ts'
import type { ldapConfigs } from '#db/schema/ldap.ts'
import type { Change, Touched } from '#domain/ldap/plan.ts'
import { NO_COUNTS, type RunCounts, type Outside } from '#domain/ldap/run.ts'

/** Undo record of one portion of a write. */
export type UndoPart =
  | { readonly kind: 'added'; readonly uuids: readonly string[]; readonly outside?: Outside | null }
  | { readonly kind: 'changed'; readonly changes: readonly Change[] }
  | { readonly kind: 'disabled' | 'enabled'; readonly members: readonly Touched[] }
  | { readonly kind: 'deleted'; readonly rows: readonly KeptRow[] }
  | { readonly kind: 'config'; readonly row: typeof ldapConfigs.$inferSelect }

/** A portion whose batch was sent, and whose answer has not come. */
export interface PendingPortion {
  readonly runId: string
  readonly portion: number
}

const PENDING = 'pending_portion'

/**
 * Undo records of runs and tasks, a row a portion. A record is stored before the batch that it takes back is sent (the
 * platform holds a hub's requests until its writes are durable) and resolved when the batch has answered: an answer that is
 * lost loses no record, and the run's row in D1 says whether the batch was committed.
 */
export class UndoLog {
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

  /** Newest first; empty once its time is over. */
  parts(runId: string, now: number): UndoPart[] {
    const rows = this.storage.sql.exec<{ data: string }>(
      'SELECT data FROM undo WHERE run_id = ? AND at >= ? ORDER BY part DESC',
      runId,
      now - LDAP.undoMs,
    )
    return rows.toArray().flatMap(({ data }) => JSON.parse(data) as UndoPart[])
  }

  /** The number of the run's next portion. */
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
export const countsOfParts = (parts: readonly UndoPart[]): RunCounts => parts.map(countsOf).reduce(addCounts, NO_COUNTS)

/** Added users who did not join the associated network. */
export const outsideOf = (parts: readonly UndoPart[]): Outside[] =>
  parts.flatMap((part) => (part.kind === 'added' && part.outside ? [part.outside] : []))

function countsOf(part: UndoPart): RunCounts {
  switch (part.kind) {
    case 'added':
      return { ...NO_COUNTS, added: part.uuids.length }
    case 'changed':
      return { ...NO_COUNTS, changed: part.changes.length }
    case 'deleted':
      return { ...NO_COUNTS, removable: part.rows.length }
    case 'config':
      return NO_COUNTS
    default:
      return { ...NO_COUNTS, [part.kind]: part.members.length }
  }
}

export const addCounts = (a: RunCounts, b: RunCounts): RunCounts => ({
  added: a.added + b.added,
  changed: a.changed + b.changed,
  disabled: a.disabled + b.disabled,
  enabled: a.enabled + b.enabled,
  conflicts: a.conflicts + b.conflicts,
  removable: a.removable + b.removable,
})
