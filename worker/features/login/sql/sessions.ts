import { type SQL, type SQLWrapper, and, eq, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm'
import type { Session } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { accounts, sessions } from '#db/schema/accounts.ts'
import { clientSessions } from '#db/schema/clients.ts'

/* Statements on console sessions: insert, rotation of refresh tokens, new rights, and their end. */

type NewSession = Omit<typeof sessions.$inferInsert, 'accountId'> & {
  /** SQL finds an account that the same batch inserts. */
  readonly accountId: number | SQL
}

export const insertSession = (db: Db, { accountId, ...row }: NewSession) =>
  db.insert(sessions).values({ ...row, accountId: accountId as number }) // drizzle takes SQL for every value

/** Session with the hub of its account, which is notified when the session ends. */
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

interface RotationTerms {
  readonly now: number
  readonly slideMs: number
  /** Longest life from the sign-in. */
  readonly lifeMs: number
  /** A session with at most this life (from a token link) is not prolonged. */
  readonly fixedMs: number
}

/** Sessions of the console and of the client application rotate alike. */
type SessionTable = typeof sessions | typeof clientSessions

/**
 * Stores the presented refresh token if it is the last one or its successor. Only the token names the row, so this write
 * names no account. `from` is null for the client application.
 */
export function rotateSession(
  db: Db,
  { sessionId, hash, parent }: { readonly sessionId: string; readonly hash: string; readonly parent: string },
  { now, slideMs, lifeMs, fixedMs }: RotationTerms,
  from: { readonly ip: string; readonly place: string } | null,
) {
  const table: SessionTable = from === null ? clientSessions : sessions
  const ifShownBefore = (before: SQL, first: SQL) =>
    sql`case when refresh_hash = ${hash} then ${before} else ${first} end`
  const renewal = from && sql`refresh_at = ${now}, refresh_ip = ${from.ip}, refresh_place = ${from.place},`
  return db.run(sql`
    update ${table} set refresh_hash = ${hash},
      refresh_parent = ${ifShownBefore(sql`refresh_parent`, sql`refresh_hash`)},
      rotated_at = ${ifShownBefore(sql`rotated_at`, sql`${now}`)},
      ${renewal ?? sql``}
      expires_at = case when expires_at - created_at <= ${fixedMs} then expires_at
        else min(${now + slideMs}, created_at + ${lifeMs}) end
    where id = ${sessionId} and ended_at is null and expires_at > ${now} and refresh_hash in (${hash}, ${parent})`)
}

const endWhere = (db: Db, now: number, ...conditions: (SQL | undefined)[]) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(isNull(sessions.endedAt), ...conditions))

/** Ends one session of the account. Its batch also needs `notifyHubs` with a refresh of the account's hub. */
export const endSession = (db: Db, accountId: number, id: string, now: number) =>
  endWhere(db, now, eq(sessions.id, id), eq(sessions.accountId, accountId))

/** Owner of the sessions to end: the whole account, or one person. */
interface SessionsOf {
  readonly accountId: number
  /** A sub-account; null for the main account itself; left out for both. */
  readonly ramId?: number | null
}

function belongsTo({ accountId, ramId }: SessionsOf): SQL | undefined {
  const own = eq(sessions.accountId, accountId)
  return ramId === undefined ? own : and(own, ramId === null ? isNull(sessions.ramId) : eq(sessions.ramId, ramId))
}

/** Ends all of a person's sessions but this one. Its batch also needs a refresh of the account's hub. */
export const endOtherSessions = (db: Db, session: Pick<Session, 'id' | 'accountId' | 'ramId'>, now: number) =>
  endWhere(db, now, belongsTo(session), ne(sessions.id, session.id))

/**
 * Gives the open sessions of these sub-accounts a new version, in the batch that changes their rights: older tokens are
 * refused and older sockets closed. `ramIds` selects ids. The batch also needs a refresh of the account's hub.
 */
export const renewRights = (db: Db, accountId: number, ramIds: SQL | SQLWrapper) =>
  db
    .update(sessions)
    .set({ version: sql`${sessions.version} + 1` })
    .where(and(eq(sessions.accountId, accountId), isNull(sessions.endedAt), sql`${sessions.ramId} in (${ramIds})`))

/** Ends sessions of an account or person. Its batch also needs `notifyHubs`, as for `endSession`. */
export const endSessionsByUser = (db: Db, user: SessionsOf, now: number) => endWhere(db, now, belongsTo(user))

export const endSessionsWithoutTotp = (db: Db, accountId: number, now: number) =>
  endWhere(
    db,
    now,
    eq(sessions.accountId, accountId),
    isNotNull(sessions.ramId),
    sql`not exists (select 1 from totp_factors where person = 'ram:' || sessions.ram_id)`,
  )

/**
 * Ends the sessions of a sub-account that the same batch deletes, and unlinks their rows. Otherwise the rows would be
 * deleted too, and the account's hub could not tell an old ticket from one of an open session.
 */
export const endSessionsOfDeleted = (db: Db, accountId: number, ramId: number, now: number) =>
  db
    .update(sessions)
    .set({ endedAt: sql`coalesce(${sessions.endedAt}, ${now})`, ramId: null })
    .where(and(eq(sessions.accountId, accountId), eq(sessions.ramId, ramId)))

export const selectExpiredSessions = (db: Db, now: number, limit: number) =>
  db
    .select({ id: sessions.id, hub: accounts.hub })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(isNull(sessions.endedAt), lte(sessions.expiresAt, now)))
    .limit(limit)

/** Ends expired sessions, except those that were refreshed since they were read. */
export const endExpiredSessions = (db: Db, ids: readonly string[], now: number) =>
  endWhere(db, now, isOneOf(sessions.id, ids), lte(sessions.expiresAt, now))
