import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { throwIf } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { retryOnConflict } from '#db/conflict.ts'
import { type StoredMember, checkMembers, isSuspended } from '#domain/network/members/membership.ts'
import { findTotalRefusal, toBulkResult } from '#domain/router/bulk.ts'
import type { Ctx } from '#http/context.ts'
import { bumpRevision, namesByKind, saveMembers } from './save-members.ts'
import { requireNetworkPlan } from '../require.ts'
import type { networkApi } from '#contract/network/index.ts'
import { labelOf } from '#domain/network/members/member-name.ts'

type Call = (typeof networkApi)['batchAddMember']

/** Adds several members as points, those that may join. */
export const batchAddMember = (ctx: Ctx, input: Parsed<Call>): Promise<Output<Call>> =>
  retryOnConflict(async () => {
    const names = [...new Set(input.router_name)]
    const plan = await requireNetworkPlan(ctx, input.network_number, names)
    const { network, members: before } = plan
    const check = (after: readonly StoredMember[]) =>
      checkMembers(before, after, plan.quota, isSuspended(network), plan.neighbors, network.networkType)
    const { joining, problems } = planJoining(names, plan, check)
    throwIf(findTotalRefusal(names, problems))
    await saveMembers(ctx, {
      ...network,
      ...plan,
      isConfirmed: false,
      before,
      after: [...before, ...joining],
      head: bumpRevision(ctx, network),
      audit: {
        module: 'network',
        action: 'batch_add_member',
        target: network.number,
        message: `组网“${network.name}”添加成员${joining.length}个`,
        after: namesByKind(joining),
      },
    })
    return toBulkResult(names, problems)
  })

interface Plan {
  readonly members: readonly StoredMember[]
  /** Routers that the caller may choose. */
  readonly chosen: readonly StoredMember[]
}

/** All where they may join together; else one after the other, each checked with those before it. */
function planJoining(
  names: readonly string[],
  { members, chosen }: Plan,
  check: (after: readonly StoredMember[]) => Violation | null,
) {
  const problems = new Map<string, Violation>()
  const candidates = new Map<string, StoredMember>()
  const byName = new Map(chosen.map((router) => [router.routerName.toLowerCase(), router]))
  for (const name of names) {
    const router = byName.get(name.toLowerCase())
    if (!router) problems.set(name, violation('ROUTER_NOT_FOUND'))
    else if (members.some((m) => m.routerId === router.routerId))
      problems.set(name, violation('MEMBER_ALREADY_IN', { name: labelOf(router) }))
    else if (![...candidates.values()].includes(router)) candidates.set(name, router) // two spellings of one name
  }
  const all = [...candidates.values()]
  if (check([...members, ...all]) === null) return { joining: all, problems }
  const joining: StoredMember[] = []
  for (const [name, router] of candidates) {
    const problem = check([...members, ...joining, router])
    if (problem) problems.set(name, problem)
    else joining.push(router)
  }
  return { joining, problems }
}
