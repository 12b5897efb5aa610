import { refuse, throwIf } from '../../contract/errors.ts'
import { ROUTER_TYPE, type RouterType } from '../../contract/limits.ts'
import { isAllowed } from '../../contract/permissions.ts'
import { auditRow } from '../../db/audit.ts'
import { type Statements, batch } from '../../db/batch.ts'
import { bumpRevisions, detectConflict, guardRevisions, retryOnConflict } from '../../db/conflict.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { insertPoints, selectCenters, selectJoinedNetwork } from '../../db/network-join.ts'
import { updateNetworkStatus } from '../../db/network-status.ts'
import { guardMemberQuota, selectMemberQuota } from '../../db/quota.ts'
import { freeHost } from '../../domain/network/hosts.ts'
import { checkJoin } from '../../domain/network/membership.ts'
import { readPlaces } from '../../domain/network/places.ts'
import { type Ctx, requireSession } from '../../http/context.ts'

/** A router that is being added. */
export interface NewRouter {
  readonly name: string
  readonly hub: string
  readonly type: RouterType
}

/** A limited role adds members only into its networks, whatever else it may do there; others need the right to edit one. */
export function checkJoinRight(ctx: Ctx, number: string): void {
  const { grants } = requireSession(ctx)
  if (grants.networks === null) {
    if (number !== '' && !isAllowed('network:edit', grants)) refuse('PERMISSION_DENIED')
  } else if (number === '') refuse('NETWORK_CHOICE_REQUIRED')
}

/** Reads of the first round trip of a call that adds a router into a network; none where it joins none. */
export function selectJoin(ctx: Ctx, number: string) {
  const scope = requireSession(ctx)
  return {
    networks: number !== '' && selectJoinedNetwork(ctx.db, scope, number),
    centers: number !== '' && selectCenters(ctx.db, scope, number),
    memberQuotas: number !== '' && selectMemberQuota(ctx.db, scope.accountId, ctx.now),
  }
}

type JoinStatements = ReturnType<typeof selectJoin>
type ResultOf<S> = S extends { readonly _: { readonly result: infer R } } ? R : undefined
/** What these reads have found. */
export type JoinRows = { readonly [K in keyof JoinStatements]: ResultOf<JoinStatements[K]> | undefined }

/** The network that the rows name, if so many routers may join it. */
export function requireJoin(number: string, { networks, centers = [], memberQuotas }: JoinRows, added = 1) {
  if (number === '') return null
  const network = networks?.[0] ?? refuse('NETWORK_NOT_FOUND')
  const quota = memberQuotas?.[0] ?? { members: 0, membersUsed: 0, centers: 0 }
  const places = readPlaces(network, centers)
  throwIf(checkJoin(network, places.hosts.length, quota, added))
  return { network, ...places, quota, centerHubs: centers.map(({ hub }) => hub) }
}

/** Writes new routers, and their membership in the same batch. Where the network changed meanwhile, it alone is read again. */
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
    const join = requireJoin(number, read, added.length)
    await detectConflict(batch(ctx.db, { ...statements, ...(join && joinStatements(ctx, join, added)) }))
  })
}

function joinStatements(
  ctx: Ctx,
  join: NonNullable<ReturnType<typeof requireJoin>>,
  added: readonly NewRouter[],
): Statements {
  const { db, now } = ctx
  const { network, hosts, ranges, preferred, quota, centerHubs } = join
  const { accountId } = network
  const taken = [...hosts]
  const points = added.map(({ name, type }) => {
    const host = freeHost(taken, type, ranges, preferred) ?? refuse('SEGMENTS_USED_UP')
    taken.push(host)
    return { name, host }
  })
  const names = points.map(({ name }) => name)
  const devices = added.filter(({ type }) => type === ROUTER_TYPE.hardware).map(({ hub }) => hub)
  return {
    revision: guardRevisions(db, accountId, [network]),
    bumped: bumpRevisions(db, accountId, [network.id]),
    member: insertPoints(db, network, points, now),
    memberQuota: guardMemberQuota(db, accountId, quota.members, now),
    status: updateNetworkStatus(db, accountId, now),
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
