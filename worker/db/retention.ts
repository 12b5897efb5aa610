import { type SQL, eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { SIGN_IN_ORIGINS } from '#contract/login/limits.ts'
import { LOG_DAYS } from '#contract/logs/limits.ts'
import { MESSAGE } from '#contract/message/limits.ts'
import { type Db, schema } from './client.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Retention: statements that delete expired rows, and records of the last run of a job. */

const {
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
  jobRuns,
  ldapRuns,
  oldSigns,
  outbox,
} = schema
const { loginTickets, messages, recoveries, sessions, signInOrigins, softwareLoginLogs, tokenLinks } = schema

/** Most rows that one statement deletes: a backlog must not delay the writes of customers. */
export const PORTION = 1_000

/** Time after the announced end for which a warning is kept: its mail may still be tried. */
const WARNINGS_KEPT_MS = 7 * DAY_MS

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

export const selectJobRun = (db: Db, job: string) => db.select().from(jobRuns).where(eq(jobRuns.job, job))

export const saveJobRun = (db: Db, job: string, at: number) =>
  db
    .insert(jobRuns)
    .values({ job, at })
    .onConflictDoUpdate({ target: jobRuns.job, set: { at: sql`max(${jobRuns.at}, ${at})` as SQL<number> } })
