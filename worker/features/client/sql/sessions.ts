import { and, eq, isNull, lte } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { clientSessions } from '#db/schema/clients.ts'

/* Statements that end or delete sessions of the client application. */

/** Ends the sessions of members, in the batch of the change. Each call of a client reads the row. */
export const endClientSessions = (db: Db, accountId: number, routerIds: readonly number[], now: number) =>
  db
    .update(clientSessions)
    .set({ endedAt: now })
    .where(
      and(
        eq(clientSessions.accountId, accountId),
        isOneOf(clientSessions.routerId, routerIds),
        isNull(clientSessions.endedAt),
      ),
    )

export const endClientSessionsOfAccount = (db: Db, accountId: number, now: number) =>
  db
    .update(clientSessions)
    .set({ endedAt: now })
    .where(and(eq(clientSessions.accountId, accountId), isNull(clientSessions.endedAt)))

export const deleteClientSessions = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db
    .delete(clientSessions)
    .where(and(eq(clientSessions.accountId, accountId), isOneOf(clientSessions.routerId, routerIds)))

/** These sessions have no socket, so nobody is notified. */
export const endExpiredClientSessions = (db: Db, now: number) =>
  db
    .update(clientSessions)
    .set({ endedAt: now })
    .where(and(isNull(clientSessions.endedAt), lte(clientSessions.expiresAt, now)))
