import { sql } from 'drizzle-orm'
import { LDAP } from '#contract/ldap/limits.ts'
import { auditRows } from '#db/audit.ts'
import { type Statements, batch } from '#db/batch.ts'
import { endClientSessions, deleteClientSessions } from '#features/client/sql/sessions.ts'
import { idList } from '#db/columns.ts'
import { bumpRevisions, detectConflict, retryOnConflict, guardRouterNetworks } from '#db/conflict.ts'
import { deliverNotices, insertPresenceNotices, endDialsOfDeleted } from '#features/router/sql/dials.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import {
  guardSameMembers,
  updateStatuses,
  updateImported,
  selectNetworksOf,
  updatePresences,
  selectKept,
  type KeptRow,
  deleteLinks,
  refreshRestored,
  restoreMembers,
} from '#features/ldap/sql/members.ts'
import { refreshCarriers, refreshSoftwareServers } from '#features/network-fr/sql/nodes.ts'
import { guardSign, guardSoftwareQuota } from '#db/quota.ts'
import type { Change, PlannedMember } from '#domain/ldap/plan.ts'
import { affectedByEnd, filterCenters } from '#domain/network/members/affected.ts'
import { consequencesOf, toSettingRows, toVersions } from '#domain/network/members/change.ts'
import { deleteAuthRows } from '#features/auth-source/sql.ts'
import {
  saveSettingsOfNetworks,
  selectSettingsOfRouters,
  deleteSettingsOfRouters,
  selectLinksOfRouters,
} from '#features/network/sql/settings.ts'
import { updateNetworkStatus } from '#features/network/sql/status.ts'
import { insertVersions } from '#features/network/sql/versions.ts'
import { deleteMemberships, deleteRouterRows, deleteStates } from '#features/router/sql/manage.ts'
import { selectNetworksByRouter, selectMembersOfNetworksWith } from '#features/router/sql/routers.ts'
import type { Owner } from '../database.ts'
import { type WriteContext, actorOf, withSign, CHANGED, auditCount, auditEach, scopeOf } from './member-work.ts'

/* Writes changes of directory members: names, notes, phones and status, deletion and restoring. */

/** Changes names, notes and phones; centres list their software members by name. `more` is written in the same batch. */
export async function changeMembers(w: WriteContext, changes: readonly Change[], more: Statements): Promise<void> {
  const { db, accountId } = w
  const ids = changes.map(({ id }) => id)
  const networks = await selectNetworksOf(db, accountId, ids)
  const networkIds = networks.map(([id]) => id)
  const hubs = networks.map(([, hub]) => hub)
  const write = batch(db, {
    sign: guardSign(db, accountId, w.sign),
    same: guardSameMembers(db, accountId, changes),
    bumped: bumpRevisions(db, accountId, networkIds),
    ...updateImported(
      db,
      accountId,
      changes.map(({ id, after, note }) => ({ ...after, id, name: withSign(w, after.name), directoryNote: note })),
    ),
    servers: refreshSoftwareServers(w, idList(ids)),
    audit: auditRows(
      w,
      changes.map(({ before, after }) => ({
        module: 'ldap',
        action: 'change',
        target: withSign(w, after.name),
        message: `按目录更新成员“${withSign(w, after.name)}”`,
        before: { ...before },
        after: { ...after },
      })),
      actorOf(w),
    ),
    hubs: notifyHubs(w, refreshTasks('network', hubs)),
    ...more,
  })
  await mapUniqueViolation(write, CHANGED)
}

/** Disables members, which ends their sessions and dials, or enables them. `more` is written in the same batch. */
export const setStatuses = (
  w: WriteContext,
  members: readonly PlannedMember[],
  status: 0 | 1,
  more: () => Statements,
): Promise<void> =>
  retryOnConflict(async () => {
    const { db, accountId, now } = w
    const ids = members.map(({ id }) => id)
    const { settings, refreshes } = await endUse(w, members, status === 0 ? 'disabled' : null)
    await detectConflict(
      batch(db, {
        ...settings,
        ...updateStatuses(db, accountId, ids, status),
        sessions: status === 0 && endClientSessions(db, accountId, ids, now),
        presence: updatePresences(db, accountId, ids, status, now),
        notices: deliverNotices(w, insertPresenceNotices(db, toRouterIds(ids), now)),
        audit: auditEach(
          w,
          status === 0 ? 'disable' : 'enable',
          (name) => `按目录${status === 0 ? '停用' : '启用'}成员“${name}”`,
          members,
        ),
        ...refreshes,
        ...more(),
      }),
    )
  })

const toRouterIds = (ids: readonly number[]) => sql`select value as router_id from json_each(${JSON.stringify(ids)})`

/** Deletes members. `more` is written in the same batch and gets the rows that restore them. */
export const deleteMembers = (
  w: WriteContext,
  members: readonly PlannedMember[],
  more: (kept: readonly KeptRow[]) => Statements,
): Promise<void> =>
  retryOnConflict(async () => {
    const { db, accountId, now } = w
    const ids = members.map(({ id }) => id)
    const { settings, refreshes, kept } = await endUse(w, members, 'deleted')
    await detectConflict(
      batch(db, {
        ...settings,
        ...deleteSettingsOfRouters(db, accountId, ids),
        memberships: deleteMemberships(db, accountId, ids),
        ...endDialsOfDeleted(w, accountId, ids),
        states: deleteStates(db, accountId, ids),
        sessions: deleteClientSessions(db, accountId, ids),
        ...deleteAuthRows(db, accountId, ids),
        links: deleteLinks(db, accountId, ids),
        routers: deleteRouterRows(db, accountId, ids),
        networkStatus: updateNetworkStatus(db, accountId, now),
        audit: auditEach(w, 'remove', (name) => `移除目录成员“${name}”`, members),
        ...refreshes,
        ...more(kept),
      }),
    )
  })

/** Restores deleted members with their networks and addresses. A quota that has shrunk meanwhile ends the task. */
export async function restore(
  w: WriteContext,
  rows: readonly KeptRow[],
  { max }: Pick<Owner, 'max'>,
  more: Statements,
): Promise<void> {
  const { db, accountId, now } = w
  await batch(db, {
    ...restoreMembers(db, accountId, rows, now),
    quota: guardSoftwareQuota(db, accountId, max, now),
    networkStatus: updateNetworkStatus(db, accountId, now),
    ...refreshRestored(w, accountId, rows),
    audit: auditCount(w, 'restore', rows.length, `恢复目录成员${rows.length}个`, {
      members: rows.slice(0, LDAP.namesKept).map(([name]) => name),
    }),
    ...more,
  })
}

/** Statements that end the use of members in their networks, and refreshes of hubs whose documents name them. */
async function endUse(w: WriteContext, members: readonly PlannedMember[], event: 'deleted' | 'disabled' | null) {
  const { db, accountId, now } = w
  const ids = members.map(({ id }) => id)
  const names = members.map(({ name }) => withSign(w, name))
  const loaded = await batch(db, {
    networks: selectNetworksByRouter(db, scopeOf(w), ...names),
    peers: selectMembersOfNetworksWith(db, scopeOf(w), ...names),
    settings: selectSettingsOfRouters(db, accountId, names),
    pointLinks: selectLinksOfRouters(db, accountId, names),
    kept: selectKept(db, accountId, ids),
  })
  const networks = [...new Map(loaded.networks.map((network) => [network.id, network])).values()]
  const networkIds = networks.map(({ id }) => id)
  const targets = members.map(({ id, name }) => ({
    id,
    name: withSign(w, name),
    note: '',
    networks: loaded.networks.filter(({ routerId }) => routerId === id),
  }))
  const consequences = event === null ? [] : consequencesOf(targets, loaded, event)
  const gone = new Set(event === 'deleted' ? ids : [])
  const staying = loaded.peers.filter(({ routerId }) => !gone.has(routerId))
  const moved = consequences.flatMap(({ networkId, ended }) =>
    affectedByEnd(
      staying.filter((peer) => peer.networkId === networkId),
      ended,
    ),
  )
  const documents = [...new Set([...filterCenters(staying), ...moved].map(({ hub }) => hub))]
  const settings: Statements = {
    same: guardSameMembers(db, accountId, members),
    revisions: guardRouterNetworks(db, accountId, ids, networks, loaded.networks.length),
    bumped: bumpRevisions(db, accountId, networkIds),
    ended: saveSettingsOfNetworks(db, accountId, toSettingRows(consequences), now),
    ...(event !== null &&
      insertVersions(w, accountId, toVersions(networks, consequences, loaded.peers, loaded, gone), actorOf(w))),
  }
  const refreshes: Statements = {
    carriers: refreshCarriers(w, idList(networkIds)),
    hubs: notifyHubs(w, [...refreshTasks('router', documents), ...refreshTasks('network', networks)]),
  }
  return { settings, refreshes, kept: loaded.kept }
}
