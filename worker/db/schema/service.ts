import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { HUB_KINDS, HUB_OPS, MISSING_KINDS } from '#contract/kernel/hubs.ts'
import { CHANNELS } from '#contract/kernel/outside.ts'

/* Tables of the service itself: hub outbox, erasures, missing rows of hubs, runs of jobs, providers. */

export const hubOutbox = sqliteTable('hub_outbox', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: HUB_KINDS }).notNull(),
  hub: text('hub').notNull(),
  op: text('op', { enum: HUB_OPS }).notNull(),
  tries: integer('tries').notNull().default(0),
  dueAt: integer('due_at').notNull(),
  erasure: integer('erasure'),
  requestId: text('request_id').notNull().default(''),
  firstDueAt: integer('first_due_at'),
})

export const accountErasures = sqliteTable('account_erasures', {
  accountId: integer('account_id').primaryKey(),
  startedAt: integer('started_at').notNull(),
  startedBy: text('started_by').notNull(),
  directoryHub: text('directory_hub'),
  rowsAt: integer('rows_at'),
  finishedAt: integer('finished_at'),
})

export const missingRows = sqliteTable('missing_rows', {
  name: text('name').primaryKey(),
  kind: text('kind', { enum: MISSING_KINDS }).notNull(),
  serial: text('serial'),
  firstAt: integer('first_at').notNull(),
  lastAt: integer('last_at').notNull(),
})

export const hubHolds = sqliteTable('hub_holds', {
  id: integer('id').primaryKey(),
  since: integer('since'),
  changedAt: integer('changed_at').notNull(),
  changedBy: text('changed_by').notNull(),
})

export const jobRuns = sqliteTable('job_runs', {
  job: text('job').primaryKey(),
  at: integer('at').notNull(),
})

export const providerStatus = sqliteTable('provider_status', {
  channel: text('channel', { enum: CHANNELS }).primaryKey(),
  succeededAt: integer('succeeded_at'),
  failedAt: integer('failed_at'),
  failure: text('failure').notNull().default(''),
  failures: integer('failures').notNull().default(0),
  countedAt: integer('counted_at').notNull().default(0),
  checkedAt: integer('checked_at').notNull().default(0),
  isDown: integer('is_down').notNull().default(0),
})

export const smsCountries = sqliteTable('sms_countries', {
  dialCode: text('dial_code').primaryKey(),
  isAllowed: integer('is_allowed').notNull(),
  dailyMax: integer('daily_max').notNull(),
  day: integer('day').notNull().default(0),
  sent: integer('sent').notNull().default(0),
  sentByName: integer('sent_by_name').notNull().default(0),
})
