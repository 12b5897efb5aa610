import { throwIf } from '../../contract/errors.ts'
import type { Output, Parsed } from '../../contract/endpoint.ts'
import type { networkApi } from '../../contract/network.ts'
import { checkMembers, membersOfPlan } from '../../domain/network/membership.ts'
import { type Ctx, accountOf, sessionOf } from '../../http/context.ts'
import { randomHex, randomText } from '../../security/secrets.ts'
import { auditRow, said } from '../audit/queries.ts'
import { tellHubs } from '../../http/hub-notices.ts'
import { commitChange, namesByKind } from './change.ts'
import { loadChosen } from './load.ts'
import { recomputeNetworkStatus } from './queries.ts'
import { namesByKindOf, networkName } from './queries-named.ts'
import { deleteNetworkRows, guardNetwork, insertNetwork, markStale, touchNetwork } from './queries-membership.ts'

export async function createNetwork(
  ctx: Ctx,
  input: Parsed<typeof networkApi.create>,
): Promise<Output<typeof networkApi.create>> {
  const { chosen, room } = await loadChosen(ctx, [...input.center, ...input.point])
  const { members, refused } = membersOfPlan(input, chosen)
  throwIf(refused)
  throwIf(checkMembers([], members, room, false))
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
  const { db } = ctx
  const { network_number: number, network_name: name } = input
  const before = networkName(number)
  const [, , renamed] = await db.batch([
    guardNetwork(db, sessionOf(ctx), number),
    auditRow(ctx, {
      module: 'network',
      action: 'name',
      target: number,
      message: said`组网“${before}”改名为“${name}”`,
      before: { network_name: before },
      after: { network_name: name },
    }),
    touchNetwork(db, number, { name }),
  ])
  tellHubs(ctx, { networkIds: renamed.map(({ id }) => id) })
}

export async function deleteNetwork(ctx: Ctx, input: Parsed<typeof networkApi.delete>): Promise<void> {
  const { db } = ctx
  const number = input.network_number
  const name = networkName(number)
  const [, , stale, , gone] = await db.batch([
    guardNetwork(db, sessionOf(ctx), number),
    auditRow(ctx, {
      module: 'network',
      action: 'delete',
      target: number,
      message: said`删除组网“${name}”`,
      before: { network_name: name, ...namesByKindOf(number) },
    }),
    markStale(db, number, { routerIds: [], centers: true, points: true }),
    ...deleteNetworkRows(db, number),
    recomputeNetworkStatus(db, accountOf(ctx), ctx.now),
  ])
  tellHubs(ctx, { goneNetworkIds: gone.map(({ id }) => id), routerIds: stale.map(([id]) => id) })
}
