import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { throwIf, toMessage } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { detectConflict, retryOnConflict } from '#db/conflict.ts'
import { planDeletions } from '#domain/router/deletion.ts'
import type { Ctx } from '#http/context.ts'
import { type NamedMembers, type Target, readTargets } from './delete-targets.ts'
import { deleteTargets } from './delete-write.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { checkUse } from '#domain/network/members/change.ts'

type Api = typeof routerApi

/**
 * The member leaves all its networks; refused where it is the only centre of one, or where a setting in use needs it and
 * nobody has confirmed. Its device row remains: whoever has the code on the box can claim it again.
 */
export async function deleteRouter(ctx: Ctx, { router_name, confirm }: Parsed<Api['delete']>): Promise<void> {
  const isConfirmed = confirm === 1
  throwIf(firstOf(await deleteRouters(ctx, { action: 'delete', names: [router_name], isConfirmed })))
}

/** Deletes those that may go. Refused, with the first one's reason, where none may. */
export async function batchDelete(ctx: Ctx, input: Parsed<Api['batchDelete']>): Promise<Output<Api['batchDelete']>> {
  const names = [...new Set(input.router_name)]
  const isConfirmed = input.confirm === 1
  const problems = await deleteRouters(ctx, { action: 'batch_delete', names, isConfirmed })
  if (problems.size === names.length) throwIf(firstOf(problems))
  const result = names.map((router_name) => {
    const problem = problems.get(router_name)
    return { router_name, deleted: toWireBoolean(!problem), msg: problem ? toMessage(problem) : '' }
  })
  return { deleted: names.length - problems.size, result }
}

type Problems = ReadonlyMap<string, Violation>
const firstOf = (problems: Problems): Violation | null => problems.values().next().value ?? null

interface Deletion extends NamedMembers {
  readonly action: 'delete' | 'batch_delete' | 'batch_delete_file'
  /** Settings that need a member end with it. */
  readonly isConfirmed: boolean
}

/** Answers why the others stay, by name. */
export const deleteRouters = (ctx: Ctx, deletion: Deletion): Promise<Problems> =>
  retryOnConflict(async () => {
    const { targets, missing, repeated, ...around } = await readTargets(ctx, deletion)
    const foreign = targets.filter(({ routerType }) => deletion.isOfFile && routerType !== ROUTER_TYPE.software)
    const { accepted, refused } = planDeletions(
      targets.filter((target) => !foreign.includes(target)),
      (target) => checkKept(target) ?? (deletion.isConfirmed ? null : checkUse(target, around, 'deleted')),
    )
    if (accepted.length > 0) await detectConflict(deleteTargets(ctx, deletion.action, accepted, around))
    return new Map<string, Violation>([
      ...refused.map(({ target, problem }) => [target.typed, problem] as const),
      ...foreign.map(({ typed }) => [typed, violation('SOFTWARE_ONLY')] as const),
      ...repeated.map((name) => [name, violation('MEMBER_NAMED_TWICE')] as const),
      ...missing.map((name) => [name, violation('ROUTER_NOT_FOUND')] as const),
    ])
  })

/** Refuses routers that POP areas or the directory need, even if the deletion is confirmed. */
function checkKept({ name, isNode, source, isTunnel }: Target): Violation | null {
  if (isNode === 1) return violation('POP_NODE_KEPT', { name })
  if (source === 'ldap') return violation('LDAP_MANAGED')
  return isTunnel === 1 ? violation('LDAP_ROUTER_IN_USE', { name }) : null
}
