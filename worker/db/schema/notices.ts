import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const announcements = sqliteTable('announcements', {
  id: integer('id').primaryKey(),
  title: text('title').notNull(),
  tag: text('tag').notNull().default(''),
  content: text('content').notNull(),
  releaseAt: integer('release_at').notNull(),
})

export const messages = sqliteTable('messages', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  eventId: text('event_id').notNull(),
  type: text('type').notNull(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  status: integer('status').notNull().default(0),
  createdAt: integer('created_at').notNull(),
  networkNumber: text('network_number').notNull().default(''),
  routerName: text('router_name').notNull().default(''),
  person: text('person').notNull().default(''),
})
