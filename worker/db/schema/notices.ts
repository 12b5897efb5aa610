import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'
import { MESSAGE } from '#contract/message/limits.ts'

/* Tables of announcements and site messages. */

export const announcements = sqliteTable('announcements', {
  id: integer('id').primaryKey(),
  title: text('title').notNull(),
  tag: text('tag').notNull().default(''),
  content: text('content').notNull(),
  releaseAt: integer('release_at').notNull(),
  hosts: text('hosts').notNull().default('[]'),
})

export const messages = sqliteTable('messages', {
  ...ownedRow,
  eventId: text('event_id').notNull(),
  type: text('type', { enum: MESSAGE.types }).notNull(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  createdAt: integer('created_at').notNull(),
  networkNumber: text('network_number').notNull().default(''),
  routerName: text('router_name').notNull().default(''),
  person: text('person').notNull().default(''),
  ticketNumber: text('ticket_number').notNull().default(''),
})

export const messageMarks = sqliteTable('message_marks', {
  id: integer('id').primaryKey(),
  messageId: integer('message_id').notNull(),
  person: text('person').notNull(),
  accountId: integer('account_id').notNull(),
  readAt: integer('read_at'),
  deletedAt: integer('deleted_at'),
})
