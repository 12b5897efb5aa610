import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { z } from 'zod'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { staticRoutesPreview } from '#contract/network/changes.ts'
import { IMPACT_RATE } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { type AuditEntry, auditRow } from '#db/audit.ts'
import { type Results, type Statements, batch } from '#db/batch.ts'
import { detectConflict, retryOnConflict } from '#db/conflict.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { guardRate } from '#db/rate-limit.ts'
import { pause } from '#db/concurrency.ts'
import {
  type NetworkKey,
  saveMemberSettings,
  saveNetworkSetting,
  selectMemberSettings,
  selectNetworkSettings,
  selectPointLinks,
} from './sql/settings.ts'
import { insertVersion } from './sql/versions.ts'
import { type NetworkRows, type PopNode, toNetworkRows } from '#domain/network/compile/rows.ts'
import { checkDevices } from '#domain/network/compile/device-settings.ts'
import { parkHosts } from '#domain/network/addresses/hosts.ts'
import { readMemberSettings, readNetworkSettings } from '#domain/network/history/stored-settings.ts'
import {
  type MemberHost,
  type SettingValues,
  addedNeeds,
  applySettings,
  differingSettings,
  entriesOf,
  type MovedDocument,
  centersFirst,
  movedDocuments,
} from '#domain/network/history/setting-change.ts'
import { indexMembers } from '#domain/network/members/member-name.ts'
import { isSuspended } from '#domain/network/members/membership.ts'
import type { PointLink } from '#domain/network/members/pair-links.ts'
import { checkPopHosts } from '#domain/network/pop/pool.ts'
import { NO_DIFFERENCE, movesRoutes, routeChanges } from '#domain/network/routing/route-changes.ts'
import { alignStaticRoutes } from '#domain/router/static-routes.ts'
import { selectFeatures } from '#features/account/sql/accounts.ts'
import { selectNetworkAreas } from '#features/network-fr/sql/frs.ts'
import { selectNetworkNodes } from '#features/network-fr/sql/nodes.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { readMissingSettings } from './service.ts'
import { toImpact } from './impact-view.ts'
import { bumpRevision } from './members/save-members.ts'
import { toChanges } from './history/history.ts'
import { type NetworkColumns, moveHosts } from './sql/write.ts'
import { selectDocumentMembers } from './sql/members.ts'
import { selectNetwork } from './sql/networks.ts'

/* Loads all settings of a network, and saves a change of them in one batch, or previews it as a dry run. */

export type LoadedNetwork = Omit<Awaited<ReturnType<typeof loadSettings>>, 'more'>

/** Loads a network in the caller's scope, all settings of it and its members, and `more`, in one round trip. */
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
    account: toAccount(account),
    members,
    pointLinks,
    popNodes,
    /** Areas of the POP resource that the network uses. */
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

/** Values that a call sets. Values equal to the stored ones are neither written, audited nor pushed. */
export interface SettingChange extends Pick<SettingValues, 'network' | 'members'> {
  /** All point links of the network. */
  readonly pointLinks?: readonly PointLink[]
  /** New POP nodes of the network; `statements` write them. */
  readonly popNodes?: readonly (PopNode & { readonly hub: HubName })[]
  readonly columns?: Pick<NetworkColumns, 'name' | 'ciphers' | 'mode' | 'frId'>
  /** New host numbers of members, which change their addresses. */
  readonly hosts?: readonly MemberHost[]
  readonly audit: Omit<AuditEntry, 'module' | 'target'>
  /** The change takes nothing into use, so a suspended network allows it. */
  readonly isAllowedSuspended?: boolean
  readonly statements?: Statements
}

/**
 * Saves settings of one network: reads, decides and writes one batch, and retries if another write came between. Exactly
 * the routers with a changed document are pushed. A dry run ends before the write.
 * @param decide applies the rules (`checkRevision` among them); throws a refusal, returns null if nothing is to be done.
 * @param selectMore further reads for the rules, in the same round trip.
 */
export function saveSettings<const S extends Statements = Readonly<Record<never, never>>>(
  ctx: Ctx,
  number: string,
  decide: (loaded: LoadedNetwork, more: Results<S>) => SettingChange | null,
  selectMore?: () => S,
): Promise<void> {
  return retryOnConflict(async () => {
    const { more, ...loaded } = await loadSettings(ctx, number, selectMore?.())
    const change = decide(loaded, more)
    if (change === null) return
    const { network, members, rows, stored, storedOf, hubOf } = loaded
    const values = differingSettings(change, stored.values, (routerId) => storedOf(routerId).values)
    const columns = Object.fromEntries(entriesOf(change.columns).filter(([key, value]) => value !== network[key]))
    const { hosts = [], pointLinks, popNodes } = change
    const isSame = [columns, values.network, values.members, hosts].every((part) => entriesOf(part).length === 0)
    if (isSame && pointLinks === undefined && popNodes === undefined) return
    if (isSuspended(network) && !change.isAllowedSuspended) refuse('NETWORK_SUSPENDED')
    const changed = { ...columns, ...values, hosts, ...(pointLinks && { pointLinks }), ...(popNodes && { popNodes }) }
    const after = applySettings(rows, changed)
    const moved = await collect(movedDocuments(rows, after))
    if (moved.length > 0) throwIf(checkPopHosts(rows, after))
    await requireCapable(ctx, loaded, moved)
    if (ctx.dryRun) return ctx.dryRun(toImpact(loaded, moved, await compareRoutes(rows, after, moved)))
    const newHubs = new Map(popNodes?.map(({ routerId, hub }) => [routerId, hub]))
    const movedHubs = centersFirst(moved, members).map(({ routerId }) => newHubs.get(routerId) ?? hubOf(routerId))
    await detectConflict(
      batch(ctx.db, {
        ...bumpRevision(ctx, network, 'ciphers' in columns ? { ...columns, ciphersAt: ctx.now } : columns),
        ...saveStatements(ctx, network, values),
        ...insertVersion(ctx, network, toChanges(loaded, { columns, ...values, pointLinks })),
        parked: moveHosts(ctx.db, network, parkHosts(hosts, members)),
        hosts: moveHosts(ctx.db, network, hosts),
        ...change.statements,
        audit: auditRow(ctx, { module: 'network', target: network.number, ...change.audit }),
        hubs: notifyHubs(ctx, [...refreshTasks('network', [network.hub]), ...refreshTasks('router', movedHubs)]),
      }),
    )
  })
}

/** Impact of other static routes of a member on one network; the save of the routes checks them in all its networks. */
export async function previewStaticRoutes(ctx: Ctx, input: z.output<typeof staticRoutesPreview>): Promise<void> {
  const loaded = await loadSettings(ctx, input.network_number)
  const { routerId } = loaded.requireMember(input.router_name)
  const { routes } = alignStaticRoutes(input.routes)
  const members = loaded.rows.members.map((m) => (m.routerId === routerId ? { ...m, staticRoutes: routes } : m))
  const after = { ...loaded.rows, members }
  const moved = await collect(movedDocuments(loaded.rows, after))
  ctx.dryRun?.(toImpact(loaded, moved, await inPortions(routeChanges(loaded.rows, after))))
}

/** Changes of routes; none where no document moves them. */
const compareRoutes = async (before: NetworkRows, after: NetworkRows, moved: readonly MovedDocument[]) =>
  movesRoutes(moved) ? inPortions(routeChanges(before, after)) : NO_DIFFERENCE

/** Lets other requests run between two portions, since compiling hundreds of documents takes tens of milliseconds. */
async function collect<T>(portions: Iterable<readonly T[]>): Promise<readonly T[]> {
  const found: (readonly T[])[] = []
  for (const portion of portions) {
    if (found.length > 0) await pause(0)
    found.push(portion)
  }
  return found.flat()
}

/** Result of work that yields between its portions, where other requests run. */
async function inPortions<T>(work: Iterator<undefined, T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await pause(0)
  }
}

function saveStatements({ db, now }: Ctx, key: NetworkKey, { network, members }: SettingValues): Statements {
  return Object.fromEntries([
    ...entriesOf(network).map(([kind, value]) => [kind, saveNetworkSetting(db, key, kind, value, now)]),
    ...entriesOf(members).map(([kind, rows]) => [`of_members_${kind}`, saveMemberSettings(db, key, kind, rows, now)]),
  ])
}

/** Refuses if a device lacks a capability that its new document needs, because it would drop out of the network. */
async function requireCapable(
  ctx: Ctx,
  { members, accountHub, hubOf }: LoadedNetwork,
  moved: readonly MovedDocument[],
): Promise<void> {
  const own = new Set(members.map(({ routerId }) => routerId))
  const needing = addedNeeds(moved).filter(({ routerId }) => own.has(routerId)) // nodes are the operator's concern
  if (needing.length === 0) return
  const hubs = needing.map(({ routerId }) => hubOf(routerId))
  const missing = (await readMissingSettings(ctx, accountHub, hubs)) ?? {}
  const lacked = needing.map(({ routerId, needs }) => ({
    routerId,
    keys: needs.filter((key) => missing[hubOf(routerId)]?.includes(key)),
  }))
  const lacking = new Set(lacked.filter(({ keys }) => keys.length > 0).map(({ routerId }) => routerId))
  const keys = [...new Set(lacked.flatMap((device) => device.keys))]
  const devices = members.filter(({ routerId }) => lacking.has(routerId))
  throwIf(checkDevices(keys, devices))
}
