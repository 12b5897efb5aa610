import { type SQL, and, eq, isNull, lte } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { clientSessions } from '#db/schema/clients.ts'

/* Statements that end or delete sessions of the client application. */

const endWhere = (db: Db, now: number, ...conditions: SQL[]) =>
  db
    .update(clientSessions)
    .set({ endedAt: now })
    .where(and(isNull(clientSessions.endedAt), ...conditions))

export const endClientSession = (db: Db, accountId: number, id: string, now: number) =>
  endWhere(db, now, eq(clientSessions.accountId, accountId), eq(clientSessions.id, id))

/** Ends the sessions of members, in the batch of the change. Each call of a client reads the row. */
export const endClientSessions = (db: Db, accountId: number, routerIds: readonly number[], now: number) =>
  endWhere(db, now, eq(clientSessions.accountId, accountId), isOneOf(clientSessions.routerId, routerIds))

export const endClientSessionsOfAccount = (db: Db, accountId: number, now: number) =>
  endWhere(db, now, eq(clientSessions.accountId, accountId))

export const deleteClientSessions = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db
    .delete(clientSessions)
    .where(and(eq(clientSessions.accountId, accountId), isOneOf(clientSessions.routerId, routerIds)))

/** These sessions have no socket, so nobody is notified. */
export const endExpiredClientSessions = (db: Db, now: number) => endWhere(db, now, lte(clientSessions.expiresAt, now))
