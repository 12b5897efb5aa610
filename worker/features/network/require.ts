import { refuse } from '../../contract/errors.ts'
import type { RouterType } from '../../contract/limits.ts'
import { coversNetwork } from '../../contract/permissions.ts'
import type { Scope } from '../../contract/session.ts'
import { selectAccountHub } from '../../db/accounts.ts'
import { batch } from '../../db/batch.ts'
import { selectMemberQuota } from '../../db/quota.ts'
import { selectPoolSegments, selectUsedIndexes } from '../../db/subnet-indexes.ts'
import type { Neighbor } from '../../domain/network/member-segments.ts'
import type { Quota, StoredMember } from '../../domain/network/membership.ts'
import { parseInterfaces, reportedSegments } from '../../domain/router/interfaces.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import { selectChoosable, selectCreated, selectMembers, selectNetwork } from './queries.ts'
import { selectNeighbors } from './queries-nearby.ts'

const NO_QUOTA: Quota = { members: 0, membersUsed: 0, centers: 0 }

/** The network of that number in the caller's scope, or NETWORK_NOT_FOUND. */
export async function requireNetwork(ctx: Ctx, number: string) {
  const [network] = await selectNetwork(ctx.db, requireSession(ctx), number)
  return network ?? refuse('NETWORK_NOT_FOUND')
}

/** The same with its members and the account's hub, in one round trip. */
export async function requireNetworkWithMembers(ctx: Ctx, number: string) {
  const scope = requireSession(ctx)
  const [[network], members, [account]] = await ctx.db.batch([
    selectNetwork(ctx.db, scope, number),
    selectMembers(ctx.db, scope, number),
    selectAccountHub(ctx.db, scope.accountId),
  ])
  return {
    network: network ?? refuse('NETWORK_NOT_FOUND'),
    members: members.map(toMember),
    accountHub: account?.hub ?? refuse('SESSION_REVOKED'),
  }
}

/** What a change of members decides by: `chosen` are the routers of those names that the caller may choose. */
export async function requireNetworkPlan(ctx: Ctx, number: string, names: readonly string[]) {
  const scope = requireSession(ctx)
  const found = await batch(ctx.db, {
    networks: selectNetwork(ctx.db, scope, number),
    members: selectMembers(ctx.db, scope, number),
    ...selectPlan(ctx, number, names),
  })
  const network = found.networks[0] ?? refuse('NETWORK_NOT_FOUND')
  return { network, members: found.members.map(toMember), ...toPlan(scope, found) }
}

/** The same where there is no network yet; `hub` is the account's, `created` what the key has made before. */
export async function loadNetworkPlan(ctx: Ctx, names: readonly string[], createKey: string | null) {
  const scope = requireSession(ctx)
  const found = await batch(ctx.db, {
    accounts: selectAccountHub(ctx.db, scope.accountId),
    created: createKey !== null && selectCreated(ctx.db, scope.accountId, createKey),
    ...selectPlan(ctx, '', names),
  })
  const hub = found.accounts[0]?.hub ?? refuse('SESSION_REVOKED')
  return { hub, created: found.created?.[0]?.number, ...toPlan(scope, found) }
}

function selectPlan(ctx: Ctx, number: string, names: readonly string[]) {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  return {
    chosen: selectChoosable(db, scope, names),
    quotas: selectMemberQuota(db, scope.accountId, now),
    indexes: selectUsedIndexes(db, scope.accountId),
    nearby: selectNeighbors(db, scope, number, names),
    pool: selectPoolSegments(db, scope.accountId),
  }
}

type PlanStatements = ReturnType<typeof selectPlan>
type PlanRows = { readonly [K in keyof PlanStatements]: PlanStatements[K]['_']['result'] }

function toPlan(scope: Scope, { chosen, quotas, indexes, nearby, pool }: PlanRows) {
  const neighbors = toNeighbors(scope, nearby)
  return {
    chosen: chosen.map(toChosen),
    quota: quotas[0] ?? NO_QUOTA,
    neighbors,
    /** Networks of the neighbors, as they were read. */
    beside: [...new Map(nearby.map(([id, revision]) => [id, { id, revision }])).values()],
    taken: {
      usedIndexes: indexes.map(([index]) => index),
      neighborLans: neighbors.flatMap(({ lans }) => lans),
      reported: pool.map(([segment]) => segment),
    },
  }
}

export const toNeighbors = (
  { grants }: Scope,
  rows: Awaited<ReturnType<typeof selectNeighbors>>,
): readonly Neighbor[] =>
  rows.map(([, , number, networkName, routerName, note, lans, segmentIndex]) => ({
    routerName,
    note,
    networkNumber: number,
    networkName,
    lans: JSON.parse(lans) as string[],
    segmentIndex,
    isHidden: !coversNetwork(grants, number),
  }))

interface RouterRow {
  readonly routerId: number
  readonly routerName: string
  readonly routerType: number
  readonly hub: string
  readonly note: string
  readonly interfaces: string | null
}

export const toMember = (
  row: RouterRow & Pick<StoredMember, 'memberType' | 'segmentIndex' | 'host'>,
): StoredMember => ({
  ...toIdentity(row),
  memberType: row.memberType,
  segmentIndex: row.segmentIndex,
  host: row.host,
  networkCount: 0,
})

const toChosen = (row: RouterRow & Pick<StoredMember, 'networkCount'>): StoredMember => ({
  ...toIdentity(row),
  memberType: 'point',
  segmentIndex: null,
  host: null,
  networkCount: row.networkCount,
})

const toIdentity = ({ routerId, routerName, routerType, hub, note, interfaces }: RouterRow) => ({
  routerId,
  routerName,
  routerType: routerType as RouterType,
  hub,
  note,
  ...reportedSegments(parseInterfaces(interfaces)),
})
