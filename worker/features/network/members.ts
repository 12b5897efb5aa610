import type { Parsed } from '../../contract/endpoint.ts'
import { violation, refuse, throwIf } from '../../contract/errors.ts'
import { NETWORK_STATUS } from '../../contract/limits.ts'
import type { networkApi } from '../../contract/network.ts'
import { refusingTaken } from '../../db/guard.ts'
import { changeOf, checkMembers, labelOf, membersOfPlan } from '../../domain/network/membership.ts'
import { type Ctx, sessionOf } from '../../http/context.ts'
import { auditRow, said } from '../audit/queries.ts'
import { sendAll, tellHubs } from '../../http/hub-notices.ts'
import { commitChange, namesByKind } from './change.ts'
import { loadNetwork } from './load.ts'
import { recomputeNetworkStatus } from './queries.ts'
import { guardAvailable, guardHasCenter, guardNetwork, guardRevision, touchNetwork } from './queries-membership.ts'
import {
  guardHardware,
  guardMember,
  hardwareCount,
  hardwareIds,
  leaveNetwork,
  markMet,
  namesByKindOf,
  networkName,
  routerLabel,
} from './queries-named.ts'

/** Replaces name and members. A plan made from an older state is refused, whoever was faster. */
export async function editNetwork(ctx: Ctx, input: Parsed<typeof networkApi.edit>): Promise<void> {
  const { db } = ctx
  const {
    network,
    members: before,
    chosen,
    room,
  } = await loadNetwork(ctx, input.network_number, [...input.center, ...input.point])
  if (input.revision !== undefined && input.revision !== network.revision) refuse('NETWORK_CHANGED')
  const segments = new Map(before.map((m) => [m.routerId, m.segmentIndex]))
  const known = chosen.map((m) => ({ ...m, segmentIndex: segments.get(m.routerId) ?? null }))
  const { members: after, refused } = membersOfPlan(input, known)
  throwIf(refused)
  throwIf(checkMembers(before, after, room, network.status === NETWORK_STATUS.overQuota))

  const { added, removed, promoted, demoted } = changeOf(before, after)
  const moved = [...promoted, ...demoted]
  const renamed = input.network_name !== network.name
  if (!renamed && added.length + removed.length + moved.length === 0) return
  const was = before.filter((m) => moved.some(({ routerId }) => routerId === m.routerId))
  await commitChange(
    ctx,
    network.number,
    { before, after, room },
    [
      guardNetwork(db, sessionOf(ctx), network.number),
      guardRevision(db, network.number, network.revision),
      ...(added.length + moved.length > 0 ? [guardAvailable(db, network.number)] : []),
      touchNetwork(db, network.number, { name: input.network_name }),
    ],
    {
      module: 'network',
      action: 'edit',
      target: network.number,
      message: `修改组网“${network.name}”：新增${added.length}个成员，移除${removed.length}个成员，调整${moved.length}个成员`,
      before: { ...(renamed && { network_name: network.name }), ...namesByKind([...removed, ...was]) },
      after: { ...(renamed && { network_name: input.network_name }), ...namesByKind([...added, ...moved]) },
    },
  )
}

export async function addMember(ctx: Ctx, input: Parsed<typeof networkApi.addMember>): Promise<void> {
  const { db } = ctx
  const { network, members: before, chosen, room } = await loadNetwork(ctx, input.network_number, [input.router_name])
  const [candidate] = chosen
  if (!candidate) return refuse('ROUTER_NOT_FOUND')
  const taken = violation('MEMBER_ALREADY_IN', { name: labelOf(candidate) })
  if (before.some((m) => m.routerId === candidate.routerId)) throwIf(taken)
  const joining = { ...candidate, memberType: input.member_type }
  const after = [...before, joining]
  throwIf(checkMembers(before, after, room, network.status === NETWORK_STATUS.overQuota))
  const commit = commitChange(
    ctx,
    network.number,
    { before, after, room },
    [
      guardNetwork(db, sessionOf(ctx), network.number),
      guardAvailable(db, network.number),
      touchNetwork(db, network.number),
    ],
    {
      module: 'network',
      action: 'add_member',
      target: network.number,
      message: `组网“${network.name}”添加成员“${labelOf(candidate)}”`,
      after: namesByKind([joining]),
    },
  )
  await refusingTaken(commit, { 'network_members.network_id': taken })
}

/** Works over quota and in a suspended network too: it is the way back. */
export async function removeMember(ctx: Ctx, input: Parsed<typeof networkApi.removeMember>): Promise<void> {
  const { db } = ctx
  const { network_number: number, router_name: name } = input
  const scope = sessionOf(ctx)
  const [, , , stale, , , touched] = await db.batch([
    guardNetwork(db, scope, number),
    guardMember(db, number, name),
    auditRow(ctx, {
      module: 'network',
      action: 'remove_member',
      target: number,
      message: said`组网“${networkName(number)}”移除成员“${routerLabel(name)}”`,
      before: namesByKindOf(number, name),
    }),
    markMet(db, name, number),
    leaveNetwork(db, number, name),
    guardHasCenter(db, number),
    touchNetwork(db, number),
    recomputeNetworkStatus(db, scope.accountId, ctx.now),
  ])
  tellHubs(ctx, { networkIds: touched.map(({ id }) => id), routerIds: stale.map(([id]) => id) })
}

/** Pushes the newest configuration again; to a device that is offline when it comes back. */
export async function reSendConfig(ctx: Ctx, input: Parsed<typeof networkApi.reSendConfig>): Promise<void> {
  const { db } = ctx
  const { network_number: number, router_name: name } = input
  const [, , , , , rows] = await db.batch([
    guardNetwork(db, sessionOf(ctx), number),
    guardMember(db, number, name),
    guardHardware(db, number, name),
    guardAvailable(db, number),
    auditRow(ctx, {
      module: 'network',
      action: 're_send_config',
      target: number,
      message: said`重新下发组网“${networkName(number)}”的配置，共${hardwareCount(number, name)}个成员`,
      after: { router_name: name ?? '*' },
    }),
    hardwareIds(db, number, name),
  ])
  ctx.waitUntil(
    sendAll(
      rows.map(
        ([id]) =>
          () =>
            ctx.hubs.router(id).resend(),
      ),
    ),
  )
}
