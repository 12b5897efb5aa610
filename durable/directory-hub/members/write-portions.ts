import { LDAP } from '#contract/ldap/limits.ts'
import type { Statements } from '#db/batch.ts'
import type { KeptRow } from '#features/ldap/sql/members.ts'
import { groupMoves } from '#domain/ldap/moves.ts'
import type { Change, Plan, Touched } from '#domain/ldap/plan.ts'
import { type AdditionTarget, addMembers } from './member-additions.ts'
import { deleteMembers, restore } from './member-deletions.ts'
import { changeMembers, setStatuses } from './member-changes.ts'
import type { WriteContext } from './write-context.ts'
import type { UndoPart } from './undo-log.ts'

/** Member changes in the order in which they are written: members that go free names and seats. */
export interface Work {
  readonly deleted: readonly Touched[]
  readonly disabled: readonly Touched[]
  readonly changed: Plan['changed']
  readonly enabled: readonly Touched[]
  readonly added: Plan['added']
  /** Deleted members that are restored. */
  readonly restored: readonly KeptRow[]
}
export const NO_WORK: Work = { deleted: [], disabled: [], changed: [], enabled: [], added: [], restored: [] }

export const sizeOf = (work: Work): number => Object.values(work).reduce((sum, { length }) => sum + length, 0)

/** Statements that join the batch of a portion; `part` takes the portion back, null where nothing does. */
type Joined = (part: UndoPart | null) => Statements

/** Members that are written in one transaction. */
export interface Portion {
  readonly members: number
  write(context: WriteContext, joined: Joined): Promise<void>
}

/** Splits work into portions, each a transaction: a run that is cut off goes on with what is left. */
export function toPortions(work: Work, target: AdditionTarget): readonly Portion[] {
  return [
    ...split(
      work.deleted,
      (members) => (w, joined) => deleteMembers(w, members, (rows) => joined({ kind: 'deleted', rows })),
    ),
    ...split(
      work.disabled,
      (members) => (w, joined) => setStatuses(w, members, 0, () => joined({ kind: 'disabled', members })),
    ),
    ...split(
      work.enabled,
      (members) => (w, joined) => setStatuses(w, members, 1, () => joined({ kind: 'enabled', members })),
    ),
    ...groupChanges(work.changed).map((changes): Portion => ({
      members: changes.length,
      write: (w, joined) => changeMembers(w, changes, joined({ kind: 'changed', changes })),
    })),
    ...split(
      work.added,
      (members) => (w, joined) =>
        addMembers(w, members, target, (outside) =>
          joined({ kind: 'added', uuids: members.map(({ uuid }) => uuid), outside }),
        ),
      LDAP.addPortion,
    ),
    ...split(work.restored, (rows) => (w, joined) => restore(w, rows, joined(null))),
  ]
}

const split = <T>(
  items: readonly T[],
  toWrite: (portion: readonly T[]) => Portion['write'],
  size: number = LDAP.writePortion,
): Portion[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => {
    const portion = items.slice(index * size, (index + 1) * size)
    return { members: portion.length, write: toWrite(portion) }
  })

/** Names that are swapped, and those that wait for each other, stay in one portion. */
function groupChanges(changes: readonly Change[]): Change[][] {
  const byId = new Map(changes.map((change) => [change.id, change]))
  const moves = changes.map(({ id, before, after }) => ({ id, from: before.name, to: after.name }))
  const portions: Change[][] = []
  for (const group of groupMoves(moves)) {
    const found = group.flatMap(({ id }) => byId.get(id) ?? [])
    const last = portions.at(-1)
    if (last && last.length + found.length <= LDAP.writePortion) last.push(...found)
    else portions.push(found)
  }
  return portions
}
