import { type SQL, and, eq, inArray, isNull, sql } from 'drizzle-orm'
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
      refreshParent: sessions.refreshParent,
      rotatedAt: sessions.rotatedAt,
      expiresAt: sessions.expiresAt,
      endedAt: sessions.endedAt,
      hub: accounts.hub,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(eq(sessions.id, id))

interface ShownToken {
  readonly sessionId: string
  readonly hash: string
  readonly parent: string
}

interface RotationTerms {
  readonly now: number
  readonly slideMs: number
  /** The longest life from sign-in. */
  readonly lifeMs: number
  /** A session as short as this, which is one from a token link, is not prolonged. */
  readonly fixedMs: number
}

/**
 * Stores the presented refresh token if it is the one shown last, or a successor of that. Nobody is signed in: the token
 * alone says which row, so this is the one write that names no account.
 */
export function rotateSession(db: Db, { sessionId, hash, parent }: ShownToken, terms: RotationTerms) {
  const { now, slideMs, lifeMs, fixedMs } = terms
  const { refreshHash, refreshParent, rotatedAt, createdAt, expiresAt } = sessions
  const ifShownBefore = (before: SQL, first: SQL) =>
    sql`case when ${refreshHash} = ${hash} then ${before} else ${first} end`
  return db
    .update(sessions)
    .set({
      refreshHash: hash,
      refreshParent: ifShownBefore(sql`${refreshParent}`, sql`${refreshHash}`),
      rotatedAt: ifShownBefore(sql`${rotatedAt}`, sql`${now}`),
      expiresAt: sql`case when ${expiresAt} - ${createdAt} <= ${fixedMs} then ${expiresAt} else min(${now + slideMs}, ${createdAt} + ${lifeMs}) end`,
    })
    .where(and(isLive(sessionId, now), inArray(refreshHash, [hash, parent])))
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
