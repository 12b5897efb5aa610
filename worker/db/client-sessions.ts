import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from './client.ts'
import { isOneOf } from './columns.ts'
import { clientSessions } from './schema/clients.ts'

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

/** Of all members of an account. */
export const endClientSessionsOfAccount = (db: Db, accountId: number, now: number) =>
  db
    .update(clientSessions)
    .set({ endedAt: now })
    .where(and(eq(clientSessions.accountId, accountId), isNull(clientSessions.endedAt)))

/** Of members that are deleted. */
export const deleteClientSessions = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db
    .delete(clientSessions)
    .where(and(eq(clientSessions.accountId, accountId), isOneOf(clientSessions.routerId, routerIds)))
