import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { isAllowed } from '#contract/kernel/permissions.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { auditRow } from '#db/audit.ts'
import { type Results, type Statements, batch } from '#db/batch.ts'
import { detectConflict, retryOnConflict } from '#db/conflict.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { selectMemberQuota } from '#db/quota.ts'
import { planPoints, readPlaces } from '#domain/network/members/join.ts'
import { joinNetwork, selectCenters, selectJoinedNetwork } from '#features/network/sql/members.ts'
import { type Ctx, requireSession } from '#http/context.ts'

/* Joining of new members to a network in the call that creates them: right, places, write. */

export interface NewRouter {
  readonly name: string
  readonly hub: string
  readonly type: RouterType
}

/** A limited role may add members only into its networks; others need the right to edit a network. */
export function checkJoinRight(ctx: Ctx, number: string): void {
  const { grants } = requireSession(ctx)
  if (grants.networks === null) {
    if (number !== '' && !isAllowed('network:edit', grants)) refuse('PERMISSION_DENIED')
  } else if (number === '') refuse('NETWORK_CHOICE_REQUIRED')
}

/** Statements that read the network for a new member, in the first round trip; none without a network. */
export function selectJoin(ctx: Ctx, number: string) {
  const scope = requireSession(ctx)
  return {
    networks: number !== '' && selectJoinedNetwork(ctx.db, scope, number),
    centers: number !== '' && selectCenters(ctx.db, scope, number),
    memberQuotas: number !== '' && selectMemberQuota(ctx.db, scope.accountId, ctx.now),
  }
}

type JoinRows = Results<ReturnType<typeof selectJoin>>

/** Requires the network, and places in it for all of these routers. */
export function requireJoin(
  number: string,
  { networks, centers = [], memberQuotas }: JoinRows,
  added: readonly Pick<NewRouter, 'name' | 'type'>[],
) {
  if (number === '') return null
  const network = networks?.[0] ?? refuse('NETWORK_NOT_FOUND')
  const quota = memberQuotas?.[0] ?? { members: 0, membersUsed: 0, centers: 0 }
  const { points, refused } = planPoints(network, readPlaces(network, centers), quota, added)
  throwIf(refused)
  return { network, points, limit: quota.members, centerHubs: centers.map(({ hub }) => hub) }
}

/** Writes new routers and their membership in one batch. A network that changed meanwhile is read again. */
export async function writeWithJoin(
  ctx: Ctx,
  number: string,
  added: readonly NewRouter[],
  rows: JoinRows,
  statements: Statements,
): Promise<void> {
  let known: JoinRows | null = rows
  await retryOnConflict(async () => {
    const read = known ?? (await batch(ctx.db, selectJoin(ctx, number)))
    known = null
    const join = requireJoin(number, read, added)
    await detectConflict(batch(ctx.db, { ...statements, ...(join && joinStatements(ctx, join, added)) }))
  })
}

function joinStatements(ctx: Ctx, join: NonNullable<ReturnType<typeof requireJoin>>, added: readonly NewRouter[]) {
  const { network, points, limit, centerHubs } = join
  const names = points.map(({ name }) => name)
  const devices = added.filter(({ type }) => type === ROUTER_TYPE.hardware).map(({ hub }) => hub)
  return {
    ...joinNetwork(ctx.db, network, points, limit, ctx.now),
    joined: auditRow(ctx, {
      module: 'network',
      action: 'add_member',
      target: network.number,
      message: `组网“${network.name}”添加成员${names.length === 1 ? `“${names[0]}”` : `${names.length}个`}`,
      after: { center: [], point: names },
    }),
    hubs: notifyHubs(ctx, [
      ...refreshTasks('network', [network.hub]),
      ...refreshTasks('router', [...centerHubs, ...devices]),
    ]),
  }
}
