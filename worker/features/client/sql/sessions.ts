import { and, eq, isNull, lte } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { clientSessions } from '#db/schema/clients.ts'

/** Ends the sessions of members at the client application, in the batch of what ended them: each of its calls looks at the row. */
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

/** Sessions of the client application have no socket: nobody is notified. */
export const endExpiredClientSessions = (db: Db, now: number) =>
  db
    .update(clientSessions)
    .set({ endedAt: now })
    .where(and(isNull(clientSessions.endedAt), lte(clientSessions.expiresAt, now)))
