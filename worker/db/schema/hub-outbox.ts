import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { HUB_KINDS, HUB_OPS } from '#contract/kernel/hubs.ts'

export const hubOutbox = sqliteTable('hub_outbox', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: HUB_KINDS }).notNull(),
  hub: text('hub').notNull(),
  op: text('op', { enum: HUB_OPS }).notNull(),
  tries: integer('tries').notNull().default(0),
  dueAt: integer('due_at').notNull(),
})
