import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'
import type { TicketStatus, TicketType } from '#contract/ticket/index.ts'

/* Tables of support tickets and their replies. */

export const tickets = sqliteTable('tickets', {
  ...ownedRow,
  number: text('number').notNull(),
  person: text('person').notNull(),
  author: text('author').notNull(),
  type: integer('type').$type<TicketType>().notNull(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  files: text('files').notNull().default('[]'),
  snapshot: text('snapshot'),
  status: integer('status').$type<TicketStatus>().notNull().default(1),
  revision: integer('revision').notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  answeredAt: integer('answered_at'),
  warnedAt: integer('warned_at'),
  closedAt: integer('closed_at'),
  grade: integer('grade'),
  appraisal: text('appraisal').notNull().default(''),
  deletedAt: integer('deleted_at'),
  dueAt: integer('due_at'),
})

export const ticketReplies = sqliteTable('ticket_replies', {
  ...ownedRow,
  ticketId: integer('ticket_id').notNull(),
  side: text('side', { enum: ['customer', 'adviser'] }).notNull(),
  name: text('name').notNull(),
  content: text('content').notNull(),
  files: text('files').notNull().default('[]'),
  snapshot: text('snapshot'),
  createdAt: integer('created_at').notNull(),
  mailDueAt: integer('mail_due_at'),
  mailTries: integer('mail_tries').notNull().default(0),
})
