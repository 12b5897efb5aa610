import type { Applied, DirectoryTask, DirectoryActor } from '#contract/ldap/hub.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import type { HubName, OutboxEntry } from '#contract/kernel/hubs.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { type AuditActor, type AuditContext, auditRow, auditRows, systemFor } from '#db/audit.ts'
import { type Plan, type PlannedMember, VERIFY, verifyText } from '#domain/ldap/plan.ts'
import type { Outside } from '#domain/ldap/run.ts'
import type { KeptRow } from '#features/ldap/sql/members.ts'

/* Work of a sync run or a person's task on directory members: order of changes, context and audit rows. */

/** Context of every write to members of a directory: database, account, and the person who asked (null: a run). */
export interface WriteContext extends Omit<AuditContext, 'session'> {
  readonly session: null
  readonly hubOutbox: OutboxEntry[]
  readonly accountId: number
  readonly accountHub: HubName
  readonly sign: string
  readonly by: DirectoryActor | null
}

export const actorOf = ({ accountId, by }: WriteContext): AuditActor =>
  by ? { ...by, accountId } : systemFor(accountId)
export const scopeOf = ({ accountId }: WriteContext): Scope => ({
  accountId,
  grants: { kind: 'main', flags: PERMISSIONS, networks: null },
})
export const withSign = ({ sign }: WriteContext, name: string): string => `${name}@${sign}`
/** Unique columns that another write has taken since the list was read. */
export const CHANGED = {
  'routers.name': violation('LDAP_LIST_CHANGED'),
  'ldap_members.account_id': violation('LDAP_LIST_CHANGED'),
}

/** Audit row of a write to so many members together. */
export const auditCount = (
  w: WriteContext,
  action: string,
  count: number,
  message: string,
  after?: Readonly<Record<string, unknown>>,
) => auditRow(w, { module: 'ldap', action, target: String(count), message, ...(after && { after }) }, actorOf(w))

/** Audit rows, one per member that a run or a person touched. */
export const auditEach = (
  w: WriteContext,
  action: string,
  words: (name: string) => string,
  members: readonly PlannedMember[],
) =>
  auditRows(
    w,
    members.map(({ name }) => ({
      module: 'ldap',
      action,
      target: withSign(w, name),
      message: words(withSign(w, name)),
    })),
    actorOf(w),
  )

/** Member changes in the order in which they are written: members that go free names and seats. */
export interface Work {
  readonly deleted: readonly PlannedMember[]
  readonly disabled: readonly PlannedMember[]
  readonly changed: Plan['changed']
  readonly enabled: readonly PlannedMember[]
  readonly added: Plan['added']
  readonly restored: readonly KeptRow[]
}

export const NO_WORK: Work = { deleted: [], disabled: [], changed: [], enabled: [], added: [], restored: [] }

export const sizeOf = (work: Work): number => Object.values(work).reduce((sum, { length }) => sum + length, 0)

/** Work of a person's task, and the results of users that were named one by one. */
export function planTask(plan: Plan, task: DirectoryTask): { readonly work: Work; readonly result: Applied['result'] } {
  switch (task.kind) {
    case 'sync': {
      const { disabled, changed, enabled, added } = plan
      return { work: { ...NO_WORK, disabled, changed, enabled, added }, result: [] }
    }
    case 'import': {
      const { chosen: added, result } = choose(plan.added, task.uuids, (uuid) => whyNotImported(plan, uuid))
      return { work: { ...NO_WORK, added }, result }
    }
    case 'remove': {
      const reason = toMessage(violation('LDAP_REMOVE_NOTHING'))
      const { chosen: deleted, result } = choose(plan.removable, task.uuids, () => reason)
      return { work: { ...NO_WORK, deleted }, result }
    }
    case 'remove_disable': {
      const listed = new Set(plan.rows.filter(({ verify }) => verify === 'disabled').map(({ uuid }) => uuid))
      return { work: { ...NO_WORK, deleted: plan.removable.filter(({ uuid }) => listed.has(uuid)) }, result: [] }
    }
  }
}

function choose<T extends { readonly uuid: string }>(
  possible: readonly T[],
  uuids: readonly string[] | null,
  why: (uuid: string) => string,
): { readonly chosen: readonly T[]; readonly result: Applied['result'] } {
  if (uuids === null) return { chosen: possible, result: [] }
  const wanted = new Set(uuids)
  const chosen = possible.filter(({ uuid }) => wanted.has(uuid))
  const done = new Set(chosen.map(({ uuid }) => uuid))
  const result = [...wanted].map((uuid) =>
    done.has(uuid) ? { uuid, ok: 1, msg: '' } : { uuid, ok: 0, msg: why(uuid) },
  )
  return { chosen, result: result as Applied['result'] }
}

/** Adds a sentence to imported users who did not join the associated network. */
export function withOutside(result: Applied['result'], outside: readonly Outside[]): Applied['result'] {
  const reasons = new Map(outside.flatMap(({ uuids, reason }) => uuids.map((uuid) => [uuid, reason] as const)))
  return result.map((one) => (one.ok === 1 ? { ...one, msg: reasons.get(one.uuid) ?? '' } : one))
}

function whyNotImported({ conflicts, rows }: Plan, uuid: string): string {
  const row = [...conflicts, ...rows].find((one) => one.uuid === uuid)
  return row ? verifyText(row.verify, row.username) : VERIFY.gone
}
