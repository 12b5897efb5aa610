import { type SQL, and, asc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { DIAL } from '#contract/kernel/hub-limits.ts'
import { DIAL_LOST } from '#contract/kernel/states.ts'
import { SIGN_IN_ORIGINS } from '#contract/login/limits.ts'
import { LOG_DAYS } from '#contract/logs/limits.ts'
import { MESSAGE } from '#contract/message/limits.ts'
import { type Db, schema } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { endDials } from '#db/dial-presence.ts'
import { entryColumns } from '#db/hub-outbox.ts'

const {
  accounts,
  attempts,
  auditLogs,
  authRequests,
  captchas,
  clientSessions,
  codes,
  connectionLogs,
  contactLinks,
  contactWarnings,
  dialLogs,
  hubOutbox,
  jobRuns,
  ldapRuns,
  oldSigns,
  outbox,
} = schema
const { loginTickets, messages, recoveries, routers, sessions, signInOrigins, softwareLoginLogs, tokenLinks } = schema

const DAY_MS = 86_400_000
/** Rows that one statement deletes: a backlog must not hold up the writes of customers. */
export const PORTION = 1_000

/** So long after the end that it warned of: its mail may still be tried. */
const WARNINGS_KEPT_MS = 7 * DAY_MS

/** Entries whose delivery was lost or has failed, oldest first, so that hubs which fail cannot hold up the rest. */
export const selectDueEntries = (db: Db, now: number, limit: number) =>
  db.select(entryColumns).from(hubOutbox).where(lte(hubOutbox.dueAt, now)).orderBy(asc(hubOutbox.dueAt)).limit(limit)

/** Outbox entries, due or not, in portions. */
export const selectEntriesAfter = (db: Db, id: string, limit: number) =>
  db.select(entryColumns).from(hubOutbox).where(gt(hubOutbox.id, id)).orderBy(asc(hubOutbox.id)).limit(limit)

/** Deletes expired rows; codes are kept a day, because the daily limits count them. */
export const deleteExpired = (db: Db, now: number) => ({
  captchas: deletePortion(db, captchas, captchas.expiresAt, now),
  codes: deletePortion(db, codes, codes.sentAt, now - DAY_MS),
  recoveries: deletePortion(db, recoveries, recoveries.expiresAt, now),
  authRequests: deletePortion(db, authRequests, authRequests.expiresAt, now),
  loginTickets: deletePortion(db, loginTickets, loginTickets.expiresAt, now),
  tokenLinks: deletePortion(db, tokenLinks, tokenLinks.expiresAt, now - DAY_MS),
  attempts: deletePortion(db, attempts, attempts.windowEnd, now),
  sessions: deletePortion(db, sessions, sessions.endedAt, now - DAY_MS),
  messages: deletePortion(db, messages, messages.createdAt, now - MESSAGE.keptDays * DAY_MS),
  outbox: deletePortion(db, outbox, outbox.at, now - DAY_MS),
  clientSessions: deletePortion(db, clientSessions, clientSessions.endedAt, now - DAY_MS),
  contactLinks: deletePortion(db, contactLinks, contactLinks.expiresAt, now),
  contactWarnings: deletePortion(db, contactWarnings, contactWarnings.expiresAt, now - WARNINGS_KEPT_MS),
  signInOrigins: deletePortion(db, signInOrigins, signInOrigins.seenAt, now - SIGN_IN_ORIGINS.days * DAY_MS),
  oldSigns: deletePortion(db, oldSigns, oldSigns.expiresAt, now),
  softwareLogins: deletePortion(db, softwareLoginLogs, softwareLoginLogs.at, now - LOG_DAYS * DAY_MS),
  dials: deletePortion(db, dialLogs, dialLogs.endAt, now - LOG_DAYS * DAY_MS),
  connections: deletePortion(db, connectionLogs, connectionLogs.at, now - LOG_DAYS * DAY_MS),
  directoryRuns: deletePortion(db, ldapRuns, ldapRuns.startedAt, now - LOG_DAYS * DAY_MS),
  audit: deletePortion(db, auditLogs, auditLogs.at, now - LOG_DAYS * DAY_MS),
})

const deletePortion = (db: Db, table: SQLiteTable, time: SQLiteColumn, before: number) =>
  db.all<[number]>(
    sql`delete from ${table} where rowid in (select rowid from ${table} where ${time} < ${before} limit ${PORTION})
      returning 1`,
  )

/** Open sessions that have expired, with the hubs of their accounts. */
export const selectExpiredSessions = (db: Db, now: number, limit: number) =>
  db
    .select({ id: sessions.id, hub: accounts.hub })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(isNull(sessions.endedAt), lte(sessions.expiresAt, now)))
    .limit(limit)

/** A session that was refreshed since it was read is not ended. */
export const endExpiredSessions = (db: Db, ids: readonly string[], now: number) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(isOneOf(sessions.id, ids), isNull(sessions.endedAt), lte(sessions.expiresAt, now)))

/** Sessions of the client application have no socket: nobody is notified. */
export const endExpiredClientSessions = (db: Db, now: number) =>
  db
    .update(clientSessions)
    .set({ endedAt: now })
    .where(and(isNull(clientSessions.endedAt), lte(clientSessions.expiresAt, now)))

/** Ends dials that their device reports no more, when it last did. */
export const endLostDials = (db: Db, now: number) =>
  endDials(
    db,
    {
      ending: sql`l.id in (select id from dial_logs
        where end_at is null and seen_at < ${now - DIAL.lostMs} order by seen_at limit ${PORTION})`,
      reason: DIAL_LOST,
    },
    now,
  )

export const selectJobRun = (db: Db, job: string) => db.select().from(jobRuns).where(eq(jobRuns.job, job))

export const saveJobRun = (db: Db, job: string, at: number) =>
  db
    .insert(jobRuns)
    .values({ job, at })
    .onConflictDoUpdate({ target: jobRuns.job, set: { at: sql`max(${jobRuns.at}, ${at})` as SQL<number> } })

/** Passwords that wait for their hash, oldest member first. */
export const selectSealedPasswords = (db: Db, limit: number) =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      hub: routers.hub,
      sealed: sql<string>`${routers.passwordSealed}`.as('sealed'),
    })
    .from(routers)
    .where(isNotNull(routers.passwordSealed))
    .orderBy(asc(routers.id))
    .limit(limit)

/** Strikes the sealed text, unless the password was changed meanwhile. */
export const saveHashes = (
  db: Db,
  hashes: readonly {
    readonly id: number
    readonly accountId: number
    readonly sealed: string
    readonly hash: string
  }[],
) =>
  db.run(sql`
    update routers set password = h.value ->> 'hash', password_sealed = null
    from json_each(${JSON.stringify(hashes.map(({ id, accountId, sealed, hash }) => ({ id, accountId, sealed, hash })))}) h
    where routers.id = h.value ->> 'id' and routers.account_id = h.value ->> 'accountId'
      and routers.password_sealed = h.value ->> 'sealed'`)
