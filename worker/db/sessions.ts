import { type SQL, and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { accounts, sessions } from './schema/accounts.ts'

export const insertSession = (db: Db, row: typeof sessions.$inferInsert) => db.insert(sessions).values(row)

/** A session with the hub of its account, which is notified when the session ends. */
export const selectSession = (db: Db, id: string) =>
  db
    .select({
      id: sessions.id,
      accountId: sessions.accountId,
      version: sessions.version,
      refreshHash: sessions.refreshHash,
      rotatedAt: sessions.rotatedAt,
      expiresAt: sessions.expiresAt,
      endedAt: sessions.endedAt,
      hub: accounts.hub,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(eq(sessions.id, id))

interface RotationTerms {
  readonly now: number
  readonly slideMs: number
  readonly fixedMs: number
}

/** Rotates the refresh token if the presented one is the current one. */
export function rotateSession(db: Db, id: string, shownHash: string, nextHash: string, terms: RotationTerms) {
  const { now, slideMs, fixedMs } = terms
  return db
    .update(sessions)
    .set({
      refreshHash: nextHash,
      rotatedAt: now,
      // a session from a token link keeps its hour
      expiresAt: sql`case when ${sessions.expiresAt} - ${sessions.createdAt} <= ${fixedMs} then ${sessions.expiresAt} else ${now + slideMs} end`,
    })
    .where(and(isLive(id, now), eq(sessions.refreshHash, shownHash)))
}

const isLive = (id: string, now: number): SQL | undefined =>
  and(eq(sessions.id, id), isNull(sessions.endedAt), sql`${sessions.expiresAt} > ${now}`)

/** Ends one session of the account. Put `notifyHubs` with a refresh of the account's hub into the same batch. */
export const endSession = (db: Db, accountId: number, id: string, now: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId), isNull(sessions.endedAt)))

/** Whose sessions end: everybody's of the account, or one person's. */
interface SessionsOf {
  readonly accountId: number
  /** A sub-account; null for the main account itself; left out for both. */
  readonly ramId?: number | null
}

/** Ends sessions in the batch of what ended them, together with `notifyHubs` as for `endSession`. */
export function endSessionsByUser(db: Db, { accountId, ramId }: SessionsOf, now: number) {
  const whose = ramId === undefined ? undefined : ramId === null ? isNull(sessions.ramId) : eq(sessions.ramId, ramId)
  return db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.accountId, accountId), whose, isNull(sessions.endedAt)))
}
