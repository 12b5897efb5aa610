import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { NETWORK_JOB_KINDS } from '#contract/network/jobs.ts'

export const networkJobs = sqliteTable('network_jobs', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  networkId: integer('network_id').notNull(),
  jobId: text('job_id').notNull(),
  kind: text('kind', { enum: NETWORK_JOB_KINDS }).notNull(),
  routerId: integer('router_id').notNull(),
  params: text('params').notNull(),
  state: text('state', { enum: ['pending', 'done', 'failed', 'expired'] })
    .notNull()
    .default('pending'),
  reason: text('reason').notNull().default(''),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})
