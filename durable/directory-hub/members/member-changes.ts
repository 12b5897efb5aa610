import { sql } from 'drizzle-orm'
import { auditRows } from '#db/audit.ts'
import { type Statements, batch } from '#db/batch.ts'
import { endClientSessions } from '#features/client/sql/sessions.ts'
import { idList } from '#db/columns.ts'
import { bumpRevisions, detectConflict, retryOnConflict } from '#db/conflict.ts'
import { deliverNotices, insertPresenceNotices } from '#features/router/sql/dials.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { updateStatuses, updateImported, selectNetworksOf, updatePresences } from '#features/ldap/sql/members.ts'
import { refreshCarriers, refreshSoftwareServers } from '#features/network-fr/sql/nodes.ts'
import { guardSign } from '#db/quota.ts'
import type { Change, Touched } from '#domain/ldap/plan.ts'
import { type WriteContext, actorOf, withSign, CHANGED, auditEach } from './write-context.ts'
import { readAround, endUse } from './members-around.ts'

/** Names, notes and phones; centres list their software members by name. `more` is written in the same batch. */
export async function changeMembers(w: WriteContext, changes: readonly Change[], more: Statements): Promise<void> {
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
  w: WriteContext,
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
