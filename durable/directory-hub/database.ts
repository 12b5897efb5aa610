import type { DirectoryCounts, Undone } from '#contract/ldap/hub.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { batch } from '#db/batch.ts'
import { openPrimary } from '#db/client.ts'
import type { ldapRuns } from '#db/schema/ldap.ts'
import { countImported, selectKnownMembers } from '#features/ldap/sql/members.ts'
import { selectOwner, selectTunnelRouter, selectValues } from '#features/ldap/sql/config.ts'
import { joinPhone } from '#domain/ldap/mapping.ts'
import type { KnownMember } from '#domain/ldap/plan.ts'
import type { OutsideCount } from '#domain/ldap/run.ts'

/* Database access of the directory hub: account and configuration, tunnel routers, members, and rows of runs. */

/** Account and configuration of a directory's hub; null if its row is missing. */
export async function readOwner(env: Env, hub: HubName, now: number) {
  const db = openPrimary(env)
  const {
    owner: [owner],
    values: [values],
  } = await batch(db, { owner: selectOwner(db, hub, now), values: selectValues(db, hub) })
  return owner ? { ...owner, values: values ?? null } : null
}
export type Owner = NonNullable<Awaited<ReturnType<typeof readOwner>>>

/** Device of a router and its hub; null if the row is gone or disabled. */
export async function readTunnelRouter(env: Env, routerId: number) {
  const [row] = await selectTunnelRouter(openPrimary(env), routerId)
  return row && row.deviceId !== null ? { hub: row.hub, deviceId: row.deviceId } : null
}

/** Software members (VPN clients) of the account; names without the account's suffix `@…`. */
export async function readMembers(env: Env, accountId: number): Promise<KnownMember[]> {
  const rows = await selectKnownMembers(openPrimary(env), accountId)
  return rows.map(([id, uid, name, note, areaCode, number, status, directoryId, directoryNote, byRun]) => ({
    id,
    uid,
    name: name.slice(0, name.lastIndexOf('@')),
    note,
    phone: joinPhone(areaCode, number),
    status,
    link: directoryId === null ? null : { directoryId, note: directoryNote ?? '', isDisabledByRun: byRun === 1 },
  }))
}

export async function readImportedCount(env: Env, accountId: number): Promise<number> {
  const [row] = await countImported(openPrimary(env), accountId)
  return row?.[0] ?? 0
}

type Row = typeof ldapRuns.$inferInsert

/** A run or task as its row in D1 names it. */
export interface Recorded {
  readonly id: string
  readonly kind: Row['kind']
  readonly actorName: string
  readonly startedAt: number
  /** The changes that the run writes can be undone. */
  readonly isUndoable: boolean
  /** Members that an undo leaves as they are, and why. */
  readonly left?: Pick<Undone, 'left' | 'reason'>
}

interface Outcome {
  readonly state: Row['state']
  readonly counts: DirectoryCounts
  readonly outside: OutsideCount
  /** Number of committed portions: it shows if a batch ran whose answer was lost. */
  readonly portions: number
  readonly failure: string
  readonly endedAt: number
}

export const toRunRow = (
  accountId: number,
  { id, kind, actorName, startedAt, isUndoable, left }: Recorded,
  { state, counts, outside, portions, failure, endedAt }: Outcome,
): Row => ({
  id,
  accountId,
  kind,
  state,
  actorName,
  counts: JSON.stringify({
    ...counts,
    ...outside,
    portions,
    ...(left && left.left > 0 && { left: left.left, left_reason: left.reason }),
  }),
  failure,
  canUndo: isUndoable && portions > 0 ? 1 : 0,
  startedAt,
  endedAt,
})
