import type { Parsed, Output } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { retryOnConflict } from '#db/conflict.ts'
import {
  type StoredMember,
  diffMembers,
  checkMembers,
  checkRemaining,
  membersOfPlan,
  isSuspended,
  checkName,
  NO_QUOTA,
} from '#domain/network/members/membership.ts'
import type { Ctx } from '#http/context.ts'
import { bumpRevision, namesByKind, saveMembers } from './save-members.ts'
import { toColumnDiff } from '../history/history.ts'
import { requireNetworkPlan, requireNetworkWithMembers, requireMember } from '../require.ts'
import type { networkApi } from '#contract/network/index.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import { findTotalRefusal, toBulkResult } from '#domain/router/bulk.ts'

/* Endpoints that change the members of a network: edit, add one or several, remove. */

type Api = typeof networkApi

/** Replaces name and members. A plan made from an older revision is refused. */
export const editNetwork = (ctx: Ctx, input: Parsed<Api['edit']>): Promise<void> =>
  retryOnConflict(async () => {
    const names = [...input.center, ...input.point]
    const { network, members: before, chosen, ...plan } = await requireNetworkPlan(ctx, input.network_number, names)
    if (input.revision !== undefined && input.revision !== network.revision) refuse('NETWORK_CHANGED')
    throwIf(checkName(input.network_name, { name: network.name, isPop: network.frId !== null }))
    const { members: after, refused } = membersOfPlan(input, chosen)
    throwIf(refused)
    const addressed = keepAddresses(before, after)
    throwIf(checkMembers(before, addressed, plan.quota, isSuspended(network), plan.neighbors, network.networkType))

    const { added, removed, promoted, demoted } = diffMembers(before, addressed)
    const moved = [...promoted, ...demoted]
    const isRenamed = input.network_name !== network.name
    if (!isRenamed && added.length + removed.length + moved.length === 0) return
    const was = before.filter((m) => moved.some(({ routerId }) => routerId === m.routerId))
    await saveMembers(ctx, {
      ...network,
      ...plan,
      isConfirmed: input.confirm === 1,
      before,
      after: addressed,
      head: bumpRevision(ctx, network, { name: input.network_name }),
      changes: isRenamed ? toColumnDiff('name', network.name, input.network_name) : [],
      audit: {
        action: 'edit',
        message: `修改组网“${network.name}”：新增${added.length}个成员，移除${removed.length}个成员，调整${moved.length}个成员${input.revision === undefined ? '，未核对版本' : ''}`,
        before: { ...(isRenamed && { network_name: network.name }), ...namesByKind([...removed, ...was]) },
        after: { ...(isRenamed && { network_name: input.network_name }), ...namesByKind([...added, ...moved]) },
      },
    })
  })

export const addMember = (ctx: Ctx, input: Parsed<Api['addMember']>): Promise<void> =>
  retryOnConflict(async () => {
    const plan = await requireNetworkPlan(ctx, input.network_number, [input.router_name])
    const { network, members: before, chosen } = plan
    const candidate = chosen[0] ?? refuse('ROUTER_NOT_FOUND')
    if (before.some((m) => m.routerId === candidate.routerId)) refuse('MEMBER_ALREADY_IN', { name: labelOf(candidate) })
    const joining = { ...candidate, memberType: input.member_type }
    const after = [...before, joining]
    throwIf(checkMembers(before, after, plan.quota, isSuspended(network), plan.neighbors, network.networkType))
    await saveMembers(ctx, {
      ...network,
      ...plan,
      isConfirmed: input.confirm === 1,
      before,
      after,
      head: bumpRevision(ctx, network),
      audit: {
        action: 'add_member',
        message: `组网“${network.name}”添加成员“${labelOf(candidate)}”`,
        after: namesByKind([joining]),
      },
    })
  })

/** Allowed over quota and in a suspended network, because removals restore it. */
export const removeMember = (ctx: Ctx, input: Parsed<Api['removeMember']>): Promise<void> =>
  retryOnConflict(async () => {
    const { network, members: before, linked } = await requireNetworkWithMembers(ctx, input.network_number)
    const leaving = requireMember(before, input.router_name)
    const after = before.filter((m) => m !== leaving)
    throwIf(checkRemaining(after, network.networkType))
    await saveMembers(ctx, {
      ...network,
      linked,
      isConfirmed: input.confirm === 1,
      before,
      after,
      quota: NO_QUOTA, // only checked for new members
      taken: { usedIndexes: [], neighborSegments: [], reported: [], ports: [] },
      beside: [],
      head: bumpRevision(ctx, network),
      audit: {
        action: 'remove_member',
        message: `组网“${network.name}”移除成员“${labelOf(leaving)}”`,
        before: namesByKind([leaving]),
      },
    })
  })

/** Remaining members keep host and subnet index. */
function keepAddresses(before: readonly StoredMember[], after: readonly StoredMember[]): readonly StoredMember[] {
  const old = new Map(before.map((m) => [m.routerId, m]))
  return after.map((m) => {
    const { host = null, segmentIndex = null, gateway, pool } = old.get(m.routerId) ?? {}
    return { ...m, host, gateway, pool, segmentIndex: m.memberType === 'center' ? segmentIndex : null }
  })
}

type Call = (typeof networkApi)['batchAddMember']

/** Adds several members as points, and reports those that may not join. */
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
        action: 'batch_add_member',
        message: `组网“${network.name}”添加成员${joining.length}个`,
        after: namesByKind(joining),
      },
    })
    return toBulkResult(names, problems)
  })

type Plan = Pick<Awaited<ReturnType<typeof requireNetworkPlan>>, 'members' | 'chosen'>

/** Accepts all candidates if they may join together; else one after the other, each checked with those before it. */
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
