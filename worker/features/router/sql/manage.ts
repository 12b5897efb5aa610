import { and, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { isOneOf, idList } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { networkMembers } from '#db/schema/networks.ts'
import { routers, routerStates } from '#db/schema/routers.ts'
import { saasDevices } from '#db/schema/saas.ts'
import { type RouterKey, guardRouter } from './routers.ts'

/* Statements that change or delete routers: note, memberships, states, and guards for these and for the device. */

/** Columns of a new note. Its revision counts the edits. */
export const setNote = (note: string) => ({ note, noteRevision: sql`${routers.noteRevision} + 1` })

/** Guard: the note is still the one that the caller has seen. */
export const guardNoteRevision = (db: Db, router: RouterKey, revision: number) =>
  guardRouter(db, router, sql`note_revision = ${revision}`, violation('SETTING_CHANGED'))

export const updateNotes = (db: Db, accountId: number, routerIds: readonly number[], note: string) =>
  db
    .update(routers)
    .set(setNote(note))
    .where(and(eq(routers.accountId, accountId), isOneOf(routers.id, routerIds)))

/** Guard: the member still has the device that was read. */
export const guardRouterHub = (db: Db, router: RouterKey & { readonly hub: string }) =>
  guardRouter(db, router, sql`hub = ${router.hub}`, violation('NETWORK_CHANGED'))

export const deleteSaasDevices = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db.delete(saasDevices).where(and(eq(saasDevices.accountId, accountId), isOneOf(saasDevices.routerId, routerIds)))

/** Memberships and states are deleted explicitly, because a setting of the database can turn cascades off. */
export const deleteMemberships = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db
    .delete(networkMembers)
    .where(and(eq(networkMembers.accountId, accountId), isOneOf(networkMembers.routerId, routerIds)))

export const deleteStates = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db
    .delete(routerStates)
    .where(
      sql`${routerStates.routerId} in (select id from routers where account_id = ${accountId} and ${isOneOf(routers.id, routerIds)})`,
    )

/** Guard: none of the routers has become a node meanwhile. */
export const guardNoNodes = (db: Db, routerIds: readonly number[]) =>
  guard(
    db,
    sql`not exists (select 1 from pop_nodes where router_id in (${idList(routerIds)}))`,
    violation('NETWORK_CHANGED'),
  )

/** Guard: none of the routers has got the tunnel of a directory meanwhile. */
export const guardNoTunnels = (db: Db, routerIds: readonly number[]) =>
  guard(
    db,
    sql`not exists (select 1 from ldap_configs where router_id in (${idList(routerIds)}))`,
    violation('NETWORK_CHANGED'),
  )

export const deleteRouterRows = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db.delete(routers).where(and(eq(routers.accountId, accountId), isOneOf(routers.id, routerIds)))
