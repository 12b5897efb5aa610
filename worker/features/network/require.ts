import { refuse } from '#contract/kernel/errors.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { type Results, batch } from '#db/batch.ts'
import { selectNetworkSegments, selectNetworkSettings, selectPointLinks } from './sql/settings.ts'
import { selectMemberQuota } from '#db/quota.ts'
import {
  type Neighbor,
  toNetworkOwners,
  parseGateway,
  parsePool,
  segmentsOf,
  withStaticRoutes,
} from '#domain/network/addresses/member-segments.ts'
import type { LinkedSettings } from '#domain/network/members/change.ts'
import { type StoredMember, NO_QUOTA } from '#domain/network/members/membership.ts'
import type { PointLink } from '#domain/network/members/pair-links.ts'
import { nodeHosts, parsePopPool } from '#domain/network/pop/pool.ts'
import {
  DEFAULT_NETWORK_SETTINGS,
  type SettingRow,
  readNetworkSettings,
} from '#domain/network/history/stored-settings.ts'
import { parseInterfaces, reportedSegments } from '#domain/router/interfaces.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectChoosable, selectCreated, selectMembers, selectNetwork } from './sql/networks.ts'
import {
  selectChosenPorts,
  selectNeighbors,
  toRevisions,
  selectPoolSegments,
  selectUsedIndexes,
} from './sql/addresses.ts'
import { selectOpenTicket } from './sql/tickets.ts'
import type { RouterType } from '#contract/router/limits.ts'
import { findMember } from '#domain/network/members/member-name.ts'

/* Loads a network, its members and the facts for a change of members; refuses unknown ones. */

export interface LinkedRows {
  readonly settings: LinkedSettings
  readonly pointLinks: readonly PointLink[]
}

/** For a new network. */
export const NOTHING_LINKED: LinkedRows = { settings: DEFAULT_NETWORK_SETTINGS, pointLinks: [] }

const toLinked = (settings: readonly SettingRow[], pointLinks: LinkedRows['pointLinks']): LinkedRows => ({
  settings: readNetworkSettings(settings).values,
  pointLinks,
})

/** Network in the caller's scope, or NETWORK_NOT_FOUND, with its members and the account's hub, in one round trip. */
export async function requireNetworkWithMembers(ctx: Ctx, number: string) {
  const scope = requireSession(ctx)
  const { networks, members, accounts, settings, pointLinks, tickets } = await batch(ctx.db, {
    networks: selectNetwork(ctx.db, scope, number),
    members: selectMembers(ctx.db, scope, number),
    tickets: selectOpenTicket(ctx.db, scope, number),
    accounts: selectAccountHub(ctx.db, scope.accountId),
    settings: selectNetworkSettings(ctx.db, scope, number),
    pointLinks: selectPointLinks(ctx.db, scope, number),
  })
  return {
    network: networks[0] ?? refuse('NETWORK_NOT_FOUND'),
    members: members.map(toMember),
    accountHub: accounts[0]?.hub ?? refuse('SESSION_REVOKED'),
    linked: toLinked(settings, pointLinks),
    /** Number of its order that is neither completed nor cancelled. */
    openTicket: tickets[0]?.number ?? null,
  }
}

/** Loads the facts for a change of members; `chosen` are the named routers that the caller may choose. */
export async function requireNetworkPlan(ctx: Ctx, number: string, names: readonly string[]) {
  const scope = requireSession(ctx)
  const found = await batch(ctx.db, {
    networks: selectNetwork(ctx.db, scope, number),
    members: selectMembers(ctx.db, scope, number),
    settings: selectNetworkSettings(ctx.db, scope, number),
    pointLinks: selectPointLinks(ctx.db, scope, number),
    ...selectPlan(ctx, number, names),
  })
  const network = found.networks[0] ?? refuse('NETWORK_NOT_FOUND')
  const linked = toLinked(found.settings, found.pointLinks)
  const members = found.members.map(toMember)
  const named = new Set(names.map((name) => name.toLowerCase()))
  const { chosen, ...plan } = toPlan(scope, number, found)
  const own = members.filter(({ routerName }) => named.has(routerName.toLowerCase()))
  return { network, members, linked, chosen: [...own, ...chosen], ...plan }
}

/** The same for a new network. `hub` is the account's; `created` is the network that the key has created before. */
export async function loadNetworkPlan(ctx: Ctx, names: readonly string[], createKey: string | null) {
  const scope = requireSession(ctx)
  const found = await batch(ctx.db, {
    accounts: selectAccountHub(ctx.db, scope.accountId),
    created: createKey !== null && selectCreated(ctx.db, scope.accountId, createKey),
    ...selectPlan(ctx, '', names),
  })
  const hub = found.accounts[0]?.hub ?? refuse('SESSION_REVOKED')
  return { hub, created: found.created?.[0]?.number, ...toPlan(scope, '', found) }
}

function selectPlan(ctx: Ctx, number: string, names: readonly string[]) {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  return {
    chosen: selectChoosable(db, scope, names, number),
    quotas: selectMemberQuota(db, scope.accountId, now),
    indexes: selectUsedIndexes(db, scope.accountId),
    nearby: selectNeighbors(db, scope, number, names),
    pool: selectPoolSegments(db, scope.accountId),
    held: selectNetworkSegments(db, scope.accountId),
    claimed: selectChosenPorts(db, scope.accountId),
  }
}

const NO_NODES = '{"indexes":[]}'

type PlanRows = Results<ReturnType<typeof selectPlan>>

function toPlan(scope: Scope, number: string, { chosen, quotas, indexes, nearby, pool, held, claimed }: PlanRows) {
  const neighbors = toNeighbors(scope, number, nearby, held)
  const ownNodes = held.find(([of, kind]) => of === number && kind === 'pop_node')
  const { indexes: nodes, ipPool } = parsePopPool(ownNodes?.[2] ?? NO_NODES)
  return {
    chosen: chosen.map(toChosen),
    quota: quotas[0] ?? NO_QUOTA,
    neighbors,
    /** Networks of the neighbors, with the revisions that were read. */
    beside: toRevisions(nearby),
    taken: {
      usedIndexes: indexes.map(([index]) => index),
      neighborSegments: neighbors.flatMap(segmentsOf),
      reported: pool.map(([segment]) => segment),
      ports: claimed.map(([port]) => port),
      nodeHosts: nodeHosts(ipPool, nodes.length),
    },
  }
}

/** Members of neighboring networks, and segments that these and the network itself hold. */
export function toNeighbors(
  { grants }: Scope,
  ownNumber: string,
  nearby: Awaited<ReturnType<typeof selectNeighbors>>,
  held: Awaited<ReturnType<typeof selectNetworkSegments>>,
): readonly Neighbor[] {
  const members = nearby.map(
    ([, , number, networkName, routerName, note, lans, segmentIndex, gateway, staticRoutes]) => ({
      routerName,
      note,
      networkNumber: number,
      networkName,
      lans: withStaticRoutes(JSON.parse(lans) as string[], staticRoutes),
      segmentIndex,
      gateway: parseGateway(gateway),
      isHidden: !coversNetwork(grants, number),
    }),
  )
  const names = new Map(members.map(({ networkNumber, networkName }) => [networkNumber, networkName]))
  const segments = held.flatMap(([number, kind, value]) => {
    const isOwn = number === ownNumber
    const name = isOwn ? '' : names.get(number)
    if (name === undefined) return []
    return toNetworkOwners({ number, name, isOwn, isHidden: !isOwn && !coversNetwork(grants, number) }, [
      { kind, value },
    ])
  })
  return [...members, ...segments]
}

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number]
type ChoosableRow = Awaited<ReturnType<typeof selectChoosable>>[number]

export const toMember = (row: MemberRow): StoredMember => ({
  ...toIdentity(row),
  gateway: parseGateway(row.gateway),
  pool: parsePool(row.pool),
  memberType: row.memberType,
  segmentIndex: row.segmentIndex,
  host: row.host,
  networkCount: 0,
})

const toChosen = (row: ChoosableRow): StoredMember => ({
  ...toIdentity(row),
  memberType: 'point',
  segmentIndex: null,
  host: null,
  networkCount: row.networkCount,
})

function toIdentity(row: MemberRow | ChoosableRow) {
  const { routerId, routerName, routerType, hub, note, interfaces, staticRoutes } = row
  const { lans, wans } = reportedSegments(parseInterfaces(interfaces))
  return {
    routerId,
    routerName,
    routerType: routerType as RouterType,
    hub,
    note,
    lans: withStaticRoutes(lans, staticRoutes),
    wans,
  }
}

interface MemberWithRole {
  readonly routerName: string
  readonly memberType: 'center' | 'point'
}

/** The member of that name among those of one network, or MEMBER_NOT_IN_NETWORK. */
export const requireMember = <T extends MemberWithRole>(members: readonly T[], name: string): T =>
  findMember(members, name) ?? refuse('MEMBER_NOT_IN_NETWORK')

/** The same for a centre; `field` names it on the wire. */
export function requireCenter<T extends MemberWithRole>(members: readonly T[], name: string, field = 'router_name'): T {
  const found = requireMember(members, name)
  return found.memberType === 'center' ? found : refuse('CENTER_ONLY', {}, field)
}
