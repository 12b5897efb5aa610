import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const contacts = sqliteTable('contacts', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  uuid: text('uuid').notNull(),
  name: text('name').notNull(),
  email: text('email').notNull(),
  verifiedAt: integer('verified_at'),
  expiresAt: integer('expires_at'),
  warnAt: integer('warn_at'),
  mailState: text('mail_state', { enum: ['pending', 'sent', 'failed'] }).notNull(),
  mailAt: integer('mail_at').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const contactLinks = sqliteTable('contact_links', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  contactId: integer('contact_id').notNull(),
  tokenHash: text('token_hash').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export const contactWarnings = sqliteTable('contact_warnings', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  contactId: integer('contact_id').notNull(),
  expiresAt: integer('expires_at').notNull(),
  days: integer('days').notNull(),
  mailDueAt: integer('mail_due_at'),
  mailTries: integer('mail_tries').notNull().default(0),
})
