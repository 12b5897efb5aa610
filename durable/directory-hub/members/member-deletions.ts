import { LDAP } from '#contract/ldap/limits.ts'
import { auditRow } from '#db/audit.ts'
import { deleteAuthRows } from '#features/auth-source/sql.ts'
import { type Statements, batch } from '#db/batch.ts'
import { deleteClientSessions } from '#features/client/sql/sessions.ts'
import { idList } from '#db/columns.ts'
import { detectConflict, retryOnConflict } from '#db/conflict.ts'
import { endDialsOfDeleted } from '#features/router/sql/dials.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { type KeptRow, deleteLinks, refreshRestored, restoreMembers } from '#features/ldap/sql/members.ts'
import { deleteMemberships, deleteRouterRows, deleteStates } from '#features/router/sql/deletion.ts'
import { deleteSettingsOfRouters } from '#features/network/sql/settings.ts'
import { updateNetworkStatus } from '#features/network/sql/status.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import type { Touched } from '#domain/ldap/plan.ts'
import { endUse, readAround } from './members-around.ts'
import { type WriteContext, actorOf, auditEach } from './write-context.ts'

/** Deletes members. `more` is written in the same batch; it is given what restores them. */
export const deleteMembers = (
  w: WriteContext,
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
export async function restore(w: WriteContext, rows: readonly KeptRow[], more: Statements): Promise<void> {
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
