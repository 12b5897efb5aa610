import type { ldapRuns } from '#db/schema/ldap.ts'
import type { OutsideCount } from '#domain/ldap/outside.ts'
import type { RunCounts } from '#domain/ldap/run.ts'

type Row = typeof ldapRuns.$inferInsert

/** A run or task as its row in D1 names it. */
export interface Recorded {
  readonly id: string
  readonly kind: Row['kind']
  readonly actorName: string
  readonly startedAt: number
  /** Whether the changes that the run writes can be undone. */
  readonly isUndoable: boolean
}

export interface Outcome {
  readonly state: Row['state']
  readonly counts: RunCounts
  readonly outside: OutsideCount
  /** Committed ones: what says whether a batch whose answer was lost has run. */
  readonly portions: number
  readonly failure: string
  readonly endedAt: number
}

/** Name that a run of the system has among the runs. */
export const SYSTEM_NAME = '系统'

export const toRunRow = (
  accountId: number,
  { id, kind, actorName, startedAt, isUndoable }: Recorded,
  { state, counts, outside, portions, failure, endedAt }: Outcome,
): Row => ({
  id,
  accountId,
  kind,
  state,
  actorName,
  counts: JSON.stringify({ ...counts, ...outside, portions }),
  failure,
  canUndo: isUndoable && portions > 0 ? 1 : 0,
  startedAt,
  endedAt,
})
