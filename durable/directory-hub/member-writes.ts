import { sql } from 'drizzle-orm'
import type { DirectoryActor } from '../../worker/contract/directory-hub.ts'
import type { HubName, OutboxEntry } from '../../worker/contract/hubs.ts'
import { LDAP } from '../../worker/contract/ldap-limits.ts'
import { PERMISSIONS } from '../../worker/contract/permissions.ts'
import { violation } from '../../worker/contract/result.ts'
import type { Scope } from '../../worker/contract/session.ts'
import { type AuditActor, type AuditContext, auditRow, auditRows, systemFor } from '../../worker/db/audit.ts'
import { type Statements, batch } from '../../worker/db/batch.ts'
import { deleteAuthRows } from '../../worker/db/auth-sources.ts'
import { deleteClientSessions, endClientSessions } from '../../worker/db/client-sessions.ts'
import { idList } from '../../worker/db/columns.ts'
import { bumpRevisions, detectConflict, guardRouterNetworks, retryOnConflict } from '../../worker/db/conflict.ts'
import { deliverNotices, endDialsOfDeleted, insertPresenceNotices } from '../../worker/db/dial-presence.ts'
import { mapUniqueViolation } from '../../worker/db/guard.ts'
import { notifyHubs, refreshTasks } from '../../worker/db/hub-outbox.ts'
import {
  type KeptRow,
  deleteLinks,
  refreshRestored,
  restoreMembers,
  selectKept,
  selectNetworksOf,
  updateImported,
  updatePresences,
  updateStatuses,
} from '../../worker/db/ldap-members.ts'
import { deleteMemberships, deleteRouterRows, deleteStates } from '../../worker/db/member-deletion.ts'
import {
  deleteSettingsOfRouters,
  saveSettingsOfNetworks,
  selectSettingsAround,
} from '../../worker/db/network-settings.ts'
import { updateNetworkStatus } from '../../worker/db/network-status.ts'
import { insertVersions } from '../../worker/db/network-versions.ts'
import { selectLinksOfRouters } from '../../worker/db/point-links.ts'
import { refreshCarriers, refreshSoftwareServers } from '../../worker/db/pop-nodes.ts'
import { guardSign } from '../../worker/db/quota.ts'
import { selectNetworksByRouter, selectPeers } from '../../worker/db/routers.ts'
import type { Change, Touched } from '../../worker/domain/ldap/plan.ts'
import { affectedByEnd, filterCenters } from '../../worker/domain/network/affected.ts'
import { consequencesOf, toSettingRows, toVersions } from '../../worker/domain/network/router-consequences.ts'

/** Whose members are written, and who lets it happen: null is a run. */
export interface Writer extends Omit<AuditContext, 'session'> {
  readonly session: null
  readonly hubOutbox: OutboxEntry[]
  readonly accountId: number
  readonly accountHub: HubName
  readonly sign: string
  readonly by: DirectoryActor | null
}

export const actorOf = ({ accountId, by }: Writer): AuditActor => (by ? { ...by, accountId } : systemFor(accountId))
export const scopeOf = ({ accountId }: Writer): Scope => ({
  accountId,
  grants: { kind: 'main', flags: PERMISSIONS, networks: null },
})
export const withSign = ({ sign }: Writer, name: string): string => `${name}@${sign}`
export const CHANGED = {
  'routers.name': violation('LDAP_LIST_CHANGED'),
  'ldap_members.account_id': violation('LDAP_LIST_CHANGED'),
}

/** One row a member of those that a run or a person touched. */
const auditEach = (w: Writer, action: string, words: (name: string) => string, members: readonly Touched[]) =>
  auditRows(
    w,
    members.map(({ name }) => ({
      module: 'ldap',
      action,
      target: withSign(w, name),
      message: words(withSign(w, name)),
    })),
    actorOf(w),
  )

/** Names, notes and phones; centres list their software members by name. `more` is written in the same batch. */
export async function changeMembers(w: Writer, changes: readonly Change[], more: Statements): Promise<void> {
  const { db, accountId } = w
  const ids = changes.map(({ id }) => id)
  const networks = await selectNetworksOf(db, accountId, ids)
  const write = batch(db, {
    sign: guardSign(db, accountId, w.sign),
    bumped: bumpRevisions(
      db,
      accountId,
      networks.map(([id]) => id),
    ),
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
    hubs: notifyHubs(
      w,
      refreshTasks(
        'network',
        networks.map(([, hub]) => hub),
      ),
    ),
    ...more,
  })
  await mapUniqueViolation(write, CHANGED)
}

/** Disables members, which ends their sessions and dials, or enables them. `more` is written in the same batch. */
export const setStatuses = (
  w: Writer,
  members: readonly Touched[],
  status: 0 | 1,
  more: () => Statements,
): Promise<void> =>
  retryOnConflict(async () => {
    const { db, accountId, now } = w
    const ids = members.map(({ id }) => id)
    const around = await readAround(w, members)
    const { networks, settings, documents } = endUse(w, members, around, status === 0 ? 'disabled' : null)
    await detectConflict(
      batch(db, {
        ...settings,
        ...updateStatuses(db, accountId, ids, status),
        sessions: status === 0 && endClientSessions(db, accountId, ids, now),
        presence: updatePresences(db, accountId, ids, status, now),
        notices: deliverNotices(w, insertPresenceNotices(db, toRouterIds(ids), now)),
        carriers: refreshCarriers(w, idList(networks.map(({ id }) => id))),
        audit: auditEach(
          w,
          status === 0 ? 'disable' : 'enable',
          (name) => `按目录${status === 0 ? '停用' : '启用'}成员“${name}”`,
          members,
        ),
        hubs: notifyHubs(w, [
          ...refreshTasks('router', documents),
          ...refreshTasks(
            'network',
            networks.map(({ hub }) => hub),
          ),
        ]),
        ...more(),
      }),
    )
  })

const toRouterIds = (ids: readonly number[]) => sql`select value as router_id from json_each(${JSON.stringify(ids)})`

/** Deletes members. `more` is written in the same batch; it is given what restores them. */
export const deleteMembers = (
  w: Writer,
  members: readonly Touched[],
  more: (kept: readonly KeptRow[]) => Statements,
): Promise<void> =>
  retryOnConflict(async () => {
    const { db, accountId, now } = w
    const ids = members.map(({ id }) => id)
    const around = await readAround(w, members)
    const { networks, settings, documents } = endUse(w, members, around, 'deleted')
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
        carriers: refreshCarriers(w, idList(networks.map(({ id }) => id))),
        audit: auditEach(w, 'remove', (name) => `移除目录成员“${name}”`, members),
        hubs: notifyHubs(w, [
          ...refreshTasks('router', documents),
          ...refreshTasks(
            'network',
            networks.map(({ hub }) => hub),
          ),
        ]),
        ...more(around.kept),
      }),
    )
  })

/** Gives deleted members back, with their networks and addresses. */
export async function restore(w: Writer, rows: readonly KeptRow[], more: Statements): Promise<void> {
  const { db, accountId, now } = w
  await batch(db, {
    ...restoreMembers(db, accountId, rows, now),
    networkStatus: updateNetworkStatus(db, accountId, now),
    ...refreshRestored(w, accountId, rows),
    audit: auditRow(
      w,
      {
        module: 'ldap',
        action: 'restore',
        target: String(rows.length),
        message: `恢复目录成员${rows.length}个`,
        after: { members: rows.slice(0, LDAP.namesKept).map(([name]) => name) },
      },
      actorOf(w),
    ),
    ...more,
  })
}

type Around = Awaited<ReturnType<typeof readAround>>

async function readAround(w: Writer, members: readonly Touched[]) {
  const { db, accountId } = w
  const names = members.map(({ name }) => withSign(w, name))
  const [networks, peers, settings, pointLinks, kept] = await db.batch([
    selectNetworksByRouter(db, scopeOf(w), ...names),
    selectPeers(db, scopeOf(w), ...names),
    selectSettingsAround(db, accountId, names),
    selectLinksOfRouters(db, accountId, names),
    selectKept(
      db,
      accountId,
      members.map(({ id }) => id),
    ),
  ])
  return { networks, peers, settings, pointLinks, kept }
}

/** What ends in their networks when they go, with the documents that name them. */
function endUse(w: Writer, members: readonly Touched[], around: Around, event: 'deleted' | 'disabled' | null) {
  const { db, accountId, now } = w
  const ids = members.map(({ id }) => id)
  const networks = [...new Map(around.networks.map((network) => [network.id, network])).values()]
  const targets = members.map(({ id, name }) => ({
    id,
    name: withSign(w, name),
    note: '',
    networks: around.networks.filter(({ routerId }) => routerId === id),
  }))
  const consequences = event === null ? [] : consequencesOf(targets, around, event)
  const gone = new Set(event === 'deleted' ? ids : [])
  const staying = around.peers.filter(({ routerId }) => !gone.has(routerId))
  const moved = consequences.flatMap(({ networkId, ended }) =>
    affectedByEnd(
      staying.filter((peer) => peer.networkId === networkId),
      ended,
    ),
  )
  const documents = [...new Set([...filterCenters(staying), ...moved].map(({ hub }) => hub))]
  const settings: Statements = {
    revisions: guardRouterNetworks(db, accountId, ids, networks, around.networks.length),
    bumped: bumpRevisions(
      db,
      accountId,
      networks.map(({ id }) => id),
    ),
    ended: saveSettingsOfNetworks(db, accountId, toSettingRows(consequences), now),
    ...(event !== null &&
      insertVersions(w, accountId, toVersions(networks, consequences, around.peers, around, gone), actorOf(w))),
  }
  return { networks, settings, documents }
}
