import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { type AuditEntry, auditRow } from '#db/audit.ts'
import { type Results, type Statements, batch } from '#db/batch.ts'
import { detectConflict, retryOnConflict } from '#db/conflict.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { pause } from '#db/timeout.ts'
import { type NetworkKey, saveMemberSettings, saveNetworkSetting } from './sql/settings.ts'
import { insertVersion } from './sql/versions.ts'
import type { PopNode } from '#domain/network/compile/rows.ts'
import { checkDevices } from '#domain/network/compile/device-settings.ts'
import { parkHosts } from '#domain/network/addresses/hosts.ts'
import { type MovedDocument, centersFirst, movedDocuments } from '#domain/network/history/impact.ts'
import { isSuspended } from '#domain/network/members/membership.ts'
import type { PointLink } from '#domain/network/members/pair-links.ts'
import {
  type MemberHost,
  type SettingValues,
  addedNeeds,
  applySettings,
  differingSettings,
  entriesOf,
} from '#domain/network/history/setting-change.ts'
import { checkPopHosts } from '#domain/network/pop/pool.ts'
import type { Ctx } from '#http/context.ts'
import { readMissingSettings } from './service.ts'
import { bumpRevision } from './members/save-members.ts'
import { toChanges } from './history/history.ts'
import { type LoadedNetwork, loadSettings } from './load-settings.ts'
import { type NetworkColumns, moveHosts } from './sql/write.ts'
import { toImpact } from './history/to-impact.ts'

type NoStatements = Readonly<Record<never, never>>

/** Values that a call sets. Values equal to the stored ones are neither written, audited nor pushed. */
export interface SettingChange extends Pick<SettingValues, 'network' | 'members'> {
  /** All of the network. */
  readonly pointLinks?: readonly PointLink[]
  /** Nodes that carry it from now on instead of those that do; `statements` write them. */
  readonly popNodes?: readonly (PopNode & { readonly hub: HubName })[]
  readonly columns?: Pick<NetworkColumns, 'name' | 'ciphers' | 'mode' | 'frId'>
  /** New host numbers of members: they get other addresses. */
  readonly hosts?: readonly MemberHost[]
  readonly audit: Omit<AuditEntry, 'module' | 'target'>
  /** Nothing is taken into use by it: a suspended network allows it, too. */
  readonly isAllowedSuspended?: boolean
  /** Further statements of the same batch. */
  readonly statements?: Statements
}

/**
 * Writes settings of one network: read, decision and one batch, again where another write came between. Every router whose
 * document it moves is pushed, and no other. A dry run ends where it would write.
 *
 * @param decide rules over what is stored (`checkRevision` among them); throws a refusal, null where nothing is to be done.
 * @param selectMore what else the rules need, read in the same round trip.
 */
export function saveSettings<const S extends Statements = NoStatements>(
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
    if (ctx.dryRun) return ctx.dryRun(toImpact(loaded, moved))
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

/** Other requests run between two portions: to compile hundreds of documents takes tens of milliseconds. */
async function collect<T>(portions: Iterable<readonly T[]>): Promise<readonly T[]> {
  const found: (readonly T[])[] = []
  for (const portion of portions) {
    if (found.length > 0) await pause(0)
    found.push(portion)
  }
  return found.flat()
}

function saveStatements({ db, now }: Ctx, key: NetworkKey, { network, members }: SettingValues): Statements {
  return Object.fromEntries([
    ...entriesOf(network).map(([kind, value]) => [kind, saveNetworkSetting(db, key, kind, value, now)]),
    ...entriesOf(members).map(([kind, rows]) => [`of_members_${kind}`, saveMemberSettings(db, key, kind, rows, now)]),
  ])
}

/** Refuses where a device lacks what its new document needs: it would drop out of the network. */
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
