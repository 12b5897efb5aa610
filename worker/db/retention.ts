import { type SQL, eq, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { SIGN_IN_ORIGINS } from '#contract/login/limits.ts'
import { HUB_HOLD, REMOVED_DEVICE_KEPT_MS } from '#contract/kernel/hub-limits.ts'
import { CLIENT_PROFILE } from '#contract/client/limits.ts'
import { LOG_DAYS } from '#contract/logs/limits.ts'
import { MESSAGE } from '#contract/message/limits.ts'
import { type Db, schema } from './client.ts'
import { jobRuns } from './schema/service.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Retention: statements that delete expired rows, and records of the last run of a job. */

/** Most rows that one statement deletes: a backlog must not delay the writes of customers. */
export const PORTION = 1_000

/** Time after the announced end for which a warning is kept: its mail may still be tried. */
const WARNINGS_KEPT_MS = 7 * DAY_MS

/** Time for which an expired certificate is kept: the row that needs attention names its end. */
const CERTIFICATES_KEPT_MS = 30 * DAY_MS

/** Deletes expired rows; codes are kept a day, because the daily limits count them. */
export const deleteExpired = (db: Db, now: number) => ({
  captchas: deletePortion(db, schema.captchas.expiresAt, now),
  codes: deletePortion(db, schema.codes.sentAt, now - DAY_MS),
  recoveries: deletePortion(db, schema.recoveries.expiresAt, now),
  authRequests: deletePortion(db, schema.authRequests.expiresAt, now),
  loginTickets: deletePortion(db, schema.loginTickets.expiresAt, now),
  tokenLinks: deletePortion(db, schema.tokenLinks.expiresAt, now - DAY_MS),
  attempts: deletePortion(db, schema.attempts.windowEnd, now),
  sessions: deletePortion(db, schema.sessions.endedAt, now - DAY_MS),
  messages: deletePortion(db, schema.messages.createdAt, now - MESSAGE.keptDays * DAY_MS),
  outbox: deletePortion(db, schema.outbox.at, now - DAY_MS),
  clientSessions: deletePortion(db, schema.clientSessions.endedAt, now - DAY_MS),
  clientProfiles: deletePortion(db, schema.clientProfiles.expiresAt, now - CLIENT_PROFILE.keptDays * DAY_MS),
  contactLinks: deletePortion(db, schema.contactLinks.expiresAt, now),
  contactWarnings: deletePortion(db, schema.contactWarnings.expiresAt, now - WARNINGS_KEPT_MS),
  signInOrigins: deletePortion(db, schema.signInOrigins.seenAt, now - SIGN_IN_ORIGINS.days * DAY_MS),
  oldSigns: deletePortion(db, schema.oldSigns.expiresAt, now),
  softwareLogins: deletePortion(db, schema.softwareLoginLogs.at, now - LOG_DAYS * DAY_MS),
  handlers: deletePortion(db, schema.attentionHandlers.at, now - DAY_MS),
  dials: deletePortion(db, schema.dialLogs.endAt, now - LOG_DAYS * DAY_MS),
  connections: deletePortion(db, schema.connectionLogs.at, now - LOG_DAYS * DAY_MS),
  directoryRuns: deletePortion(db, schema.ldapRuns.startedAt, now - LOG_DAYS * DAY_MS),
  removedDevices: deletePortion(db, schema.removedDevices.removedAt, now - REMOVED_DEVICE_KEPT_MS),
  missingRows: deletePortion(db, schema.missingRows.lastAt, now - HUB_HOLD.keptMs),
  certificates: deletePortion(db, schema.certificates.expiresAt, now - CERTIFICATES_KEPT_MS),
  revocations: deletePortion(db, schema.revocations.expiresAt, now),
  audit: deletePortion(db, schema.auditLogs.at, now - LOG_DAYS * DAY_MS),
})

const deletePortion = (db: Db, time: SQLiteColumn, before: number) =>
  db.all<[number]>(
    sql`delete from ${time.table} where rowid in (select rowid from ${time.table} where ${time} < ${before} limit ${PORTION})
      returning 1`,
  )

export const selectJobRun = (db: Db, job: string) => db.select().from(jobRuns).where(eq(jobRuns.job, job))

export const saveJobRun = (db: Db, job: string, at: number) =>
  db
    .insert(jobRuns)
    .values({ job, at })
    .onConflictDoUpdate({ target: jobRuns.job, set: { at: sql`max(${jobRuns.at}, ${at})` as SQL<number> } })
