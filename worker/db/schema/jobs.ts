import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const jobRuns = sqliteTable('job_runs', {
  job: text('job').primaryKey(),
  at: integer('at').notNull(),
})
