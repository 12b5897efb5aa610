import { refuse } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { selectFeatures } from '#features/account/sql/accounts.ts'
import { type Results, type Statements, batch } from '#db/batch.ts'
import { selectMemberSettings, selectNetworkSettings, selectPointLinks } from './sql/settings.ts'
import { selectNetworkNodes } from '#features/network-fr/sql/nodes.ts'
import { guardRate } from '#db/rate-limit.ts'
import { toNetworkRows } from '#domain/network/compile/rows.ts'
import { indexMembers } from '#domain/network/members/member-name.ts'
import { readMemberSettings, readNetworkSettings } from '#domain/network/history/stored-settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectNetwork } from './sql/networks.ts'
import { IMPACT_RATE } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { selectNetworkAreas } from '#features/network-fr/sql/frs.ts'
import { selectDocumentMembers } from './sql/members.ts'

export type LoadedNetwork = Omit<Awaited<ReturnType<typeof loadSettings>>, 'more'>

/** A network in the caller's scope with all that is set for it and its members, and `more`, in one round trip. */
export async function loadSettings<const S extends Statements>(ctx: Ctx, number: string, more?: S | undefined) {
  const scope = requireSession(ctx)
  const found = await batch(ctx.db, {
    impactRate: ctx.dryRun !== undefined && guardRate(ctx.db, `impact:${scope.id}`, IMPACT_RATE, ctx.now),
    ...more,
    networks: selectNetwork(ctx.db, scope, number),
    members: selectDocumentMembers(ctx.db, scope, number),
    settings: selectNetworkSettings(ctx.db, scope, number),
    memberSettings: selectMemberSettings(ctx.db, scope, number),
    accounts: selectFeatures(ctx.db, scope.accountId),
    areas: selectNetworkAreas(ctx.db, scope, number),
    pointLinks: selectPointLinks(ctx.db, scope, number),
    nodes: selectNetworkNodes(ctx.db, scope, number),
  })
  const network = found.networks[0] ?? refuse('NETWORK_NOT_FOUND')
  const { members, settings, memberSettings, pointLinks, nodes: popNodes } = found
  const account = found.accounts[0] ?? refuse('SESSION_REVOKED')
  const find = indexMembers(members)
  const hubs = new Map([...members, ...popNodes].map(({ routerId, hub }) => [routerId, hub]))
  return {
    network,
    accountHub: account.hub,
    /** Feature flags and DNS quota of the account. */
    account: toAccount(account),
    members,
    pointLinks,
    /** Nodes of the operator that carry it. */
    popNodes,
    /** Of the POP resource that the network uses. */
    areas: found.areas,
    /** Input of the compiler: disabled software members appear in no document. */
    rows: toNetworkRows(
      { ...network, settings, memberSettings, pointLinks, popNodes },
      members.filter((m) => m.routerType === ROUTER_TYPE.hardware || m.status === 1),
    ),
    stored: readNetworkSettings(settings),
    storedOf: (routerId: number) => readMemberSettings(memberSettings.filter((row) => row.routerId === routerId)),
    hubOf: (routerId: number): HubName => hubs.get(routerId) ?? refuse('ROUTER_NOT_FOUND'),
    more: found as Results<S>,
    requireMember: (name: string) => find(name) ?? refuse('MEMBER_NOT_IN_NETWORK'),
  }
}

const toAccount = (row: Awaited<ReturnType<typeof selectFeatures>>[number]) => ({
  dnsQuantity: row.dnsQuantity,
  features: {
    quagga: row.quagga === 1,
    quaggaAdvanced: row.quaggaAdvanced === 1,
    defaultRoute: row.defaultRoute === 1,
  },
})
