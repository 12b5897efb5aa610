import { refuse } from '../../contract/errors.ts'
import type { RouterType } from '../../contract/limits.ts'
import { selectAccountHub } from '../../db/accounts.ts'
import { selectMemberQuota } from '../../db/quota.ts'
import type { Quota, StoredMember } from '../../domain/network/membership.ts'
import { parseInterfaces, toLans } from '../../domain/router/interfaces.ts'
import { type Ctx, requireAccountId, requireSession } from '../../http/context.ts'
import { selectChoosable, selectMembers, selectNetwork, selectUsedIndexes } from './queries.ts'

const NO_QUOTA: Quota = { members: 0, membersUsed: 0, centers: 0 }

/** The network of that number in the caller's scope, or NETWORK_NOT_FOUND. */
export async function requireNetwork(ctx: Ctx, number: string) {
  const [network] = await selectNetwork(ctx.db, requireSession(ctx), number)
  return network ?? refuse('NETWORK_NOT_FOUND')
}

/** The same with its members, in one round trip. */
export async function requireNetworkWithMembers(ctx: Ctx, number: string) {
  const scope = requireSession(ctx)
  const [[network], members] = await ctx.db.batch([
    selectNetwork(ctx.db, scope, number),
    selectMembers(ctx.db, scope, number),
  ])
  return { network: network ?? refuse('NETWORK_NOT_FOUND'), members: members.map(toMember) }
}

/** What a change of members decides by: `chosen` are the routers of those names that the caller may choose. */
export async function requireNetworkPlan(ctx: Ctx, number: string, names: readonly string[]) {
  const scope = requireSession(ctx)
  const [[network], members, chosen, [quota = NO_QUOTA], indexes] = await ctx.db.batch([
    selectNetwork(ctx.db, scope, number),
    selectMembers(ctx.db, scope, number),
    selectChoosable(ctx.db, scope, names),
    selectMemberQuota(ctx.db, scope.accountId, ctx.now),
    selectUsedIndexes(ctx.db, scope.accountId),
  ])
  return {
    network: network ?? refuse('NETWORK_NOT_FOUND'),
    members: members.map(toMember),
    chosen: chosen.map(toChosen),
    quota,
    usedIndexes: indexes.map(({ index }) => index ?? -1),
  }
}

/** The same where there is no network yet; `hub` is the account's. */
export async function loadNetworkPlan(ctx: Ctx, names: readonly string[]) {
  const accountId = requireAccountId(ctx)
  const [chosen, [quota = NO_QUOTA], indexes, [account]] = await ctx.db.batch([
    selectChoosable(ctx.db, requireSession(ctx), names),
    selectMemberQuota(ctx.db, accountId, ctx.now),
    selectUsedIndexes(ctx.db, accountId),
    selectAccountHub(ctx.db, accountId),
  ])
  return {
    chosen: chosen.map(toChosen),
    quota,
    usedIndexes: indexes.map(({ index }) => index ?? -1),
    hub: account?.hub ?? refuse('SESSION_REVOKED'),
  }
}

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
  lans: toLans(parseInterfaces(interfaces)),
})
