import { refuse, throwIf } from '../../contract/errors.ts'
import type { HubTask } from '../../contract/hubs.ts'
import { ROUTER_TYPE, type RouterType } from '../../contract/limits.ts'
import { isAllowed } from '../../contract/permissions.ts'
import { auditRow } from '../../db/audit.ts'
import { type Statements, batch } from '../../db/batch.ts'
import { bumpRevisions, detectConflict, guardRevisions, retryOnConflict } from '../../db/conflict.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { updateNetworkStatus } from '../../db/network-status.ts'
import { guardMemberQuota, selectMemberQuota } from '../../db/quota.ts'
import { hostRanges } from '../../domain/network/host-ranges.ts'
import { freeHost } from '../../domain/network/hosts.ts'
import { checkJoin } from '../../domain/network/membership.ts'
import { parseGateway, parsePool } from '../../domain/network/segments-of.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import { insertPoint, selectCenters, selectJoinedNetwork } from './queries-join.ts'

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

/** The network that the rows name, if the router may join it. */
export function requireJoin(number: string, { networks, centers = [], memberQuotas }: JoinRows) {
  if (number === '') return null
  const network = networks?.[0] ?? refuse('NETWORK_NOT_FOUND')
  const quota = memberQuotas?.[0] ?? { members: 0, membersUsed: 0, centers: 0 }
  const hosts = JSON.parse(network.hosts) as number[]
  throwIf(checkJoin(network, hosts.length, quota))
  const ranges = hostRanges(
    centers.map(({ segmentIndex, gateway, pool }) => ({
      memberType: 'center' as const,
      segmentIndex,
      gateway: parseGateway(gateway),
      pool: parsePool(pool),
    })),
  )
  return { network, hosts, ranges, quota, centerHubs: centers.map(({ hub }) => hub) }
}

/** Writes a new router, and its membership in the same batch. Where the network changed meanwhile, it alone is read again. */
export async function writeWithJoin(
  ctx: Ctx,
  number: string,
  router: NewRouter,
  rows: JoinRows,
  statements: Statements,
): Promise<void> {
  let known: JoinRows | null = rows
  await retryOnConflict(async () => {
    const read = known ?? (await batch(ctx.db, selectJoin(ctx, number)))
    known = null
    const join = requireJoin(number, read)
    await detectConflict(batch(ctx.db, { ...statements, ...(join && joinStatements(ctx, join, router)) }))
  })
}

function joinStatements(ctx: Ctx, join: NonNullable<ReturnType<typeof requireJoin>>, router: NewRouter): Statements {
  const { db, now } = ctx
  const { network, hosts, ranges, quota, centerHubs } = join
  const { accountId } = network
  const host = freeHost(hosts, router.type, ranges) ?? refuse('SEGMENTS_USED_UP')
  const hubs: HubTask[] = [
    ...refreshTasks('network', [network.hub]),
    ...refreshTasks('router', router.type === ROUTER_TYPE.hardware ? [...centerHubs, router.hub] : centerHubs),
  ]
  return {
    revision: guardRevisions(db, accountId, [network]),
    bumped: bumpRevisions(db, accountId, [network.id]),
    member: insertPoint(db, { ...network, host }, router.name, now),
    memberQuota: guardMemberQuota(db, accountId, quota.members, now),
    status: updateNetworkStatus(db, accountId, now),
    joined: auditRow(ctx, {
      module: 'network',
      action: 'add_member',
      target: network.number,
      message: `组网“${network.name}”添加成员“${router.name}”`,
      after: { center: [], point: [router.name] },
    }),
    hubs: notifyHubs(ctx, hubs),
  }
}
