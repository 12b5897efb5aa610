import { and, eq, isNull, lt } from 'drizzle-orm'
import { type Db, schema } from '../db/client.ts'

const { attempts, captchas, codes, outbox, recoveries, routerStates, sessions, tokenLinks } = schema

const DAY_MS = 86_400_000

export const staleRouters = (db: Db, limit: number) =>
  db.select({ routerId: routerStates.routerId }).from(routerStates).where(eq(routerStates.configStale, 1)).limit(limit)

/** What is of no use any more; codes stay a day because the daily ceilings count them. */
export const deleteExpired = (db: Db, now: number) => [
  db.delete(captchas).where(lt(captchas.expiresAt, now)),
  db.delete(codes).where(lt(codes.sentAt, now - DAY_MS)),
  db.delete(recoveries).where(lt(recoveries.expiresAt, now)),
  db.delete(tokenLinks).where(lt(tokenLinks.expiresAt, now - DAY_MS)),
  db.delete(attempts).where(lt(attempts.windowEnd, now)),
  db.delete(sessions).where(lt(sessions.endedAt, now - DAY_MS)),
  db.delete(outbox).where(lt(outbox.at, now - DAY_MS)),
]

/** Sessions whose time is over end like any other: whose sockets are open is told by what comes back. */
export const endExpiredSessions = (db: Db, now: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(isNull(sessions.endedAt), lt(sessions.expiresAt, now)))
    .returning({ id: sessions.id, accountId: sessions.accountId })
