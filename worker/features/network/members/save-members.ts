import { throwIf } from '#contract/kernel/errors.ts'
import type { HubName, HubTask } from '#contract/kernel/hubs.ts'
import type { NetworkSetting } from '#contract/network/settings.ts'
import { type AuditEntry, auditRow } from '#db/audit.ts'
import { type Statements, batch } from '#db/batch.ts'
import { type Revision, detectConflict, guardRevisions } from '#db/conflict.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import { updateNetworkStatus } from '../sql/status.ts'
import { insertVersion, addLostSettings } from '../sql/versions.ts'
import { guardMemberQuota } from '#db/quota.ts'
import { assignAddresses } from '#domain/network/addresses/addresses.ts'
import { type EndedSettings, affectedByEnd, affectedRouters } from '#domain/network/members/affected.ts'
import { type SettingDiff, toMembershipDiffs } from '#domain/network/history/history.ts'
import {
  type ChangeConsequence,
  type ChangedMember,
  changedMembers,
  consequenceOf,
  endedText,
  findLinkEnds,
  lostLinks,
  droppedSettings,
  losesPointLinks,
} from '#domain/network/members/change.ts'
import { type Member, type Quota, type StoredMember, diffMembers } from '#domain/network/members/membership.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import {
  demoteMembers,
  guardCenterQuota,
  guardNetworksPerRouter,
  guardHubs,
  guardRouters,
  insertMembers,
  markLeft,
  type NetworkColumns,
  promoteMembers,
  removeMembers,
  updateNetwork,
} from '../sql/write.ts'
import {
  type NetworkKey,
  deleteMemberSettings,
  deletePortClaims,
  saveNetworkSetting,
  deletePointLinks,
  networkIdSql,
} from '../sql/settings.ts'
import type { LinkedRows } from '../require.ts'
import { guardNeighbors, guardSubnetIndexes } from '../sql/addresses.ts'

/* Writes a change of a network's members in one batch, with its effects on settings, links and history. */

interface MemberChange {
  readonly number: string
  readonly name: string
  readonly hub: HubName
  /** Settings that name members. */
  readonly linked: LinkedRows
  /** The caller agreed to turn off settings in use. */
  readonly isConfirmed: boolean
  readonly before: readonly StoredMember[]
  readonly after: readonly StoredMember[]
  readonly quota: Quota
  readonly taken: Parameters<typeof assignAddresses>[2]
  /** Networks that share a router with this one. The write fails if they changed since they were read. */
  readonly beside: readonly Revision[]
  /** First statements of the batch, which create the network or bump its revision. */
  readonly head: Statements
  readonly audit: Omit<AuditEntry, 'module' | 'target'>
  /** Other changed settings, for the history. */
  readonly changes?: readonly SettingDiff[]
}

/** Commits a change of members that the rules allow. Removals run first, so that freed hosts and indexes can be reused. */
export async function saveMembers(ctx: Ctx, change: MemberChange): Promise<void> {
  const { db, now } = ctx
  const { before, quota } = change
  const key = { accountId: requireAccountId(ctx), number: change.number }
  const { members: after, refused } = assignAddresses(before, change.after, change.taken)
  throwIf(refused)
  const changed = changedMembers(before, after)
  const consequence = consequenceOf(change, change.linked.settings, changed, change.isConfirmed)
  throwIf(consequence.refused)
  const ended = { ...consequence.ended, linkEnds: findLinkEnds(changed, change.linked.pointLinks) }
  const { removed, demoted } = diffMembers<StoredMember>(before, after)
  const old = new Map(before.map((m) => [m.routerId, m]))
  const added = after.filter((m) => !old.has(m.routerId))
  const promoted = after.filter((m) => m.memberType === 'center' && old.get(m.routerId)?.memberType === 'point')
  const gainsCenters = [...added, ...promoted].some((m) => m.memberType === 'center')
  await detectConflict(
    batch(db, {
      ...change.head,
      beside: added.length + promoted.length > 0 && guardNeighbors(db, key, after, change.beside),
      routers: guardRouters(db, key, added),
      routerHubs: guardHubs(db, key, added),
      left: markLeft(db, key, removed, requireSession(ctx).grants),
      ...insertVersion(ctx, key, toMemberChanges(change, after, changed, consequence.set)),
      ...lostSettings(ctx, key, changed),
      ...consequenceStatements(ctx, key, changed, consequence),
      removed: removeMembers(db, key, removed),
      demoted: demoteMembers(db, key, demoted),
      added: insertMembers(db, key, added, now),
      promoted: promoteMembers(db, key, promoted),
      indexes: gainsCenters && guardSubnetIndexes(db, key.accountId),
      memberQuota: added.length > 0 && guardMemberQuota(db, key.accountId, quota.members, now),
      perRouter: added.length > 0 && guardNetworksPerRouter(db, key, added),
      centerQuota: gainsCenters && guardCenterQuota(db, key, quota, now),
      status: updateNetworkStatus(db, key.accountId, now),
      audit: auditRow(ctx, {
        module: 'network',
        target: change.number,
        ...change.audit,
        message: `${change.audit.message}${endedText([consequence.ended])}`,
      }),
      carriers: refreshCarriers(ctx, networkIdSql(key)),
      hubs: notifyHubs(ctx, memberTasks(change.hub, before, change.after, ended)),
    }),
  )
}

/** Empty for a new network, which has no history yet. */
function toMemberChanges(
  { before, changes = [], linked: { settings, pointLinks } }: MemberChange,
  after: readonly Member[],
  changed: readonly ChangedMember[],
  set: ChangeConsequence['set'],
): readonly SettingDiff[] {
  if (before.length === 0) return []
  const lost = lostLinks(changed, pointLinks)
  const links = { before: pointLinks, after: pointLinks.filter((link) => !lost.includes(link)) }
  return [...changes, ...toMembershipDiffs(before, after, settings, set, lost.length > 0 ? links : null)]
}

/** Optimistic lock: refuses a network that changed since it was read, changes columns and bumps the revision. */
export const bumpRevision = ({ db }: Ctx, network: NetworkKey & Revision, set: NetworkColumns = {}) => ({
  revision: guardRevisions(db, network.accountId, [network]),
  network: updateNetwork(db, network, set),
})

/** Refreshes the network's hub, and the routers whose document changes. */
function memberTasks(
  hub: HubName,
  before: readonly StoredMember[],
  after: readonly StoredMember[],
  ended: EndedSettings,
): HubTask[] {
  const moved = new Set([...affectedRouters(before, after), ...affectedByEnd(after, ended)].map((m) => m.hub))
  return [...refreshTasks('network', [hub]), ...refreshTasks('router', [...moved])]
}

export function namesByKind(members: readonly Member[]): { center: string[]; point: string[] } {
  const names = (kind: Member['memberType']) => members.filter((m) => m.memberType === kind).map((m) => m.routerName)
  return { center: names('center'), point: names('point') }
}

/** Adds settings that end with these members to the history, before their deletion. */
const lostSettings = (ctx: Ctx, key: NetworkKey, changed: readonly ChangedMember[]): Statements =>
  Object.fromEntries(
    droppingEvents(changed).map((event) => {
      const ids = changed.filter((member) => member.event === event).map(({ routerId }) => routerId)
      return [`lost_${event}`, addLostSettings(ctx, key, ids, droppedSettings(event))] as const
    }),
  )

const droppingEvents = (changed: readonly ChangedMember[]) =>
  [...new Set(changed.map(({ event }) => event))].filter((event) => droppedSettings(event).length > 0)

/** Deletes settings, port claims and links of these members, and turns off settings. Runs before their rows change. */
function consequenceStatements(
  { db, now }: Ctx,
  key: NetworkKey,
  changed: readonly ChangedMember[],
  { set }: Pick<ChangeConsequence, 'set'>,
): Statements {
  const idsWhere = (test: (member: ChangedMember) => boolean) => changed.filter(test).map(({ routerId }) => routerId)
  const settings = droppingEvents(changed).map((event) => {
    const ids = idsWhere((member) => member.event === event)
    return [`settings_${event}`, deleteMemberSettings(db, key, ids, droppedSettings(event))] as const
  })
  const turnedOff = Object.entries(set).map(
    ([kind, value]) => [`ended_${kind}`, saveNetworkSetting(db, key, kind as NetworkSetting, value, now)] as const,
  )
  return {
    ...Object.fromEntries([...settings, ...turnedOff]),
    portClaims: deletePortClaims(
      db,
      key,
      idsWhere(({ event }) => droppedSettings(event).includes('fixed_port')),
    ),
    pointLinks: deletePointLinks(db, key, idsWhere(losesPointLinks)),
  }
}
