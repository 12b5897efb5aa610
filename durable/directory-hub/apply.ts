import { LDAP } from '../../worker/contract/ldap-limits.ts'
import { groupMoves } from '../../worker/domain/ldap/moves.ts'
import type { Change, Plan, Touched } from '../../worker/domain/ldap/plan.ts'
import { addMembers } from './member-additions.ts'
import { type Writer, changeMembers, deleteMembers, setStatuses } from './member-writes.ts'
import type { UndoPart } from './storage.ts'

/** What is written to the members, in this order: who goes makes room for names and seats. */
export interface Work {
  readonly deleted: readonly Touched[]
  readonly disabled: readonly Touched[]
  readonly changed: Plan['changed']
  readonly enabled: readonly Touched[]
  readonly added: Plan['added']
}
export const NO_WORK: Work = { deleted: [], disabled: [], changed: [], enabled: [], added: [] }

export const sizeOf = (work: Work): number =>
  work.deleted.length + work.disabled.length + work.changed.length + work.enabled.length + work.added.length

interface Target {
  readonly network: string | null
  /** Software members that the account may have. */
  readonly max: number
  /** A portion is written: what takes it back, and how many members it has. */
  onWritten(part: UndoPart, members: number): void
}

/** In portions, each of them a transaction: a run that is cut off goes on with what is left. */
export async function applyWork(
  createWriter: () => Writer,
  work: Work,
  { network, max, onWritten }: Target,
): Promise<void> {
  const each = async <T>(items: readonly T[], write: (portion: readonly T[]) => Promise<UndoPart>) => {
    for (let from = 0; from < items.length; from += LDAP.writePortion) {
      const portion = items.slice(from, from + LDAP.writePortion)
      onWritten(await write(portion), portion.length)
    }
  }
  await each(work.deleted, async (members) => ({ kind: 'deleted', rows: await deleteMembers(createWriter(), members) }))
  await each(work.disabled, async (members) => {
    await setStatuses(createWriter(), members, 0)
    return { kind: 'disabled', members }
  })
  await each(work.enabled, async (members) => {
    await setStatuses(createWriter(), members, 1)
    return { kind: 'enabled', members }
  })
  for (const changes of toPortions(work.changed)) {
    await changeMembers(createWriter(), changes)
    onWritten({ kind: 'changed', changes }, changes.length)
  }
  await each(work.added, async (members) => {
    await addMembers(createWriter(), members, network, max)
    return { kind: 'added', uuids: members.map(({ uuid }) => uuid) }
  })
}

/** Names that are swapped, and those that wait for each other, stay in one portion. */
function toPortions(changes: readonly Change[]): Change[][] {
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
