import type { Applied, DirectoryTask } from '#contract/ldap/hub.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Outside } from '#domain/ldap/outside.ts'
import { type Plan, VERIFY } from '#domain/ldap/plan.ts'
import { NO_WORK, type Work } from './write-portions.ts'

interface Planned {
  readonly work: Work
  /** Results of users that were named one by one. */
  readonly result: Applied['result']
}

/** Work of a person's task, and why the other users stay as they are. */
export function planTask(plan: Plan, task: DirectoryTask): Planned {
  switch (task.kind) {
    case 'sync': {
      const { disabled, changed, enabled, added } = plan
      return { work: { ...NO_WORK, disabled, changed, enabled, added }, result: [] }
    }
    case 'import': {
      const { chosen: added, result } = choose(plan, plan.added, task.uuids, (uuid) => whyNotImported(plan, uuid))
      return { work: { ...NO_WORK, added }, result }
    }
    case 'remove': {
      const reason = toMessage(violation('LDAP_REMOVE_NOTHING'))
      const { chosen: deleted, result } = choose(plan, plan.removable, task.uuids, () => reason)
      return { work: { ...NO_WORK, deleted }, result }
    }
    case 'remove_disable': {
      const listed = new Set(plan.rows.filter(({ verify }) => verify === 'disabled').map(({ uuid }) => uuid))
      return { work: { ...NO_WORK, deleted: plan.removable.filter(({ uuid }) => listed.has(uuid)) }, result: [] }
    }
  }
}

function choose<T extends { readonly uuid: string }>(
  _: Plan,
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
  return VERIFY[row?.verify ?? 'gone']
}
