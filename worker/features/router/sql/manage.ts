import { and, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { isOneOf, idList } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { networkMembers } from '#db/schema/networks.ts'
import { routers, routerStates } from '#db/schema/routers.ts'
import { saasDevices } from '#db/schema/saas.ts'

/* Statements that change or delete routers: note, device, memberships, states, and guards for these. */

/** Columns of a new note. Its revision counts the edits. */
const setNote = (note: string) => ({ note, noteRevision: sql`${routers.noteRevision} + 1` })

export const updateNote = (db: Db, accountId: number, routerId: number, note: string) =>
  db
    .update(routers)
    .set(setNote(note))
    .where(and(eq(routers.accountId, accountId), eq(routers.id, routerId)))

/** Guard: the note is still the one that the caller has seen. */
export const guardNoteRevision = (db: Db, accountId: number, routerId: number, revision: number) =>
  guard(
    db,
    sql`exists (select 1 from routers where account_id = ${accountId} and id = ${routerId} and note_revision = ${revision})`,
    violation('SETTING_CHANGED'),
  )

export const updateNotes = (db: Db, accountId: number, routerIds: readonly number[], note: string) =>
  db
    .update(routers)
    .set(setNote(note))
    .where(and(eq(routers.accountId, accountId), isOneOf(routers.id, routerIds)))

/** Guard: the member still has the device that was read. */
export const guardRouterHub = (
  db: Db,
  { accountId, id, hub }: { readonly accountId: number; readonly id: number; readonly hub: string },
) =>
  guard(
    db,
    sql`exists (select 1 from routers where account_id = ${accountId} and id = ${id} and hub = ${hub})`,
    violation('NETWORK_CHANGED'),
  )

export const updateRouterDevice = (
  db: Db,
  { accountId, id }: { readonly accountId: number; readonly id: number },
  device: { readonly name: string; readonly deviceId: number; readonly hub: string },
) =>
  db
    .update(routers)
    .set(device)
    .where(and(eq(routers.accountId, accountId), eq(routers.id, id)))

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
