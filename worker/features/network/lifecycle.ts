import type { Output, Parsed } from '../../contract/endpoint.ts'
import type { networkApi } from '../../contract/network.ts'
import { checkMembers, membersOfPlan } from '../../domain/network/membership.ts'
import { refuse } from '../../http/app-error.ts'
import { type Ctx, accountOf, sessionOf } from '../../http/context.ts'
import { randomHex, randomText } from '../../http/secrets.ts'
import { auditRow } from '../audit/queries.ts'
import { tellHubs } from '../../http/hub-notices.ts'
import { commitChange, namesByKind } from './change.ts'
import { loadChosen, loadNetwork } from './load.ts'
import { recomputeNetworkStatus } from './queries.ts'
import { deleteNetworkRows, guardNetwork, insertNetwork, markStale, touchNetwork } from './queries-membership.ts'

export async function createNetwork(
  ctx: Ctx,
  input: Parsed<typeof networkApi.create>,
): Promise<Output<typeof networkApi.create>> {
  const { chosen, room } = await loadChosen(ctx, [...input.center, ...input.point])
  const { members, refused } = membersOfPlan(input, chosen)
  refuse(refused)
  refuse(checkMembers([], members, room, false))
  const number = newNumber()
  const row = { accountId: accountOf(ctx), number, name: input.network_name, secret: randomHex(32), createdAt: ctx.now }
  await commitChange(ctx, number, { before: [], after: members, room }, [insertNetwork(ctx.db, row)], {
    module: 'network',
    action: 'create',
    target: number,
    message: `创建组网“${input.network_name}”`,
    after: { network_name: input.network_name, ...namesByKind(members) },
  })
  return { network_number: number }
}

/** Ten digits, not counted up: a number tells nothing about other accounts. */
const newNumber = (): string => `${randomText('123456789', 1)}${randomText('0123456789', 9)}`

/** Moves no document: devices know a network by its number. */
export async function renameNetwork(ctx: Ctx, input: Parsed<typeof networkApi.name>): Promise<void> {
  const { network } = await loadNetwork(ctx, input.network_number)
  await ctx.db.batch([
    guardNetwork(ctx.db, sessionOf(ctx), network.number),
    touchNetwork(ctx.db, network.number, { name: input.network_name }),
    auditRow(ctx, {
      module: 'network',
      action: 'name',
      target: network.number,
      message: `组网“${network.name}”改名为“${input.network_name}”`,
      before: { network_name: network.name },
      after: { network_name: input.network_name },
    }),
  ])
  tellHubs(ctx, { networkIds: [network.id] })
}

export async function deleteNetwork(ctx: Ctx, input: Parsed<typeof networkApi.delete>): Promise<void> {
  const { db } = ctx
  const { network, members } = await loadNetwork(ctx, input.network_number)
  const results = await db.batch([
    guardNetwork(db, sessionOf(ctx), network.number),
    markStale(db, network.number, { routerIds: [], centers: true, points: true }),
    ...deleteNetworkRows(db, network.id),
    recomputeNetworkStatus(db, network.accountId, ctx.now),
    auditRow(ctx, {
      module: 'network',
      action: 'delete',
      target: network.number,
      message: `删除组网“${network.name}”`,
      before: { network_name: network.name, ...namesByKind(members) },
    }),
  ])
  tellHubs(ctx, { goneNetworkIds: [network.id], routerIds: results[1].map(([id]) => id) })
}
