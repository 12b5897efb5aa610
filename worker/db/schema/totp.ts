import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const totpFactors = sqliteTable('totp_factors', {
  person: text('person').primaryKey(),
  accountId: integer('account_id').notNull(),
  ramId: integer('ram_id'),
  secretSealed: text('secret_sealed').notNull(),
  lastStep: integer('last_step').notNull(),
  enrolledAt: integer('enrolled_at').notNull(),
})

export const totpRecoveryCodes = sqliteTable('totp_recovery_codes', {
  id: integer('id').primaryKey(),
  person: text('person').notNull(),
  accountId: integer('account_id').notNull(),
  codeHash: text('code_hash').notNull(),
  usedAt: integer('used_at'),
})

export const loginTickets = sqliteTable('login_tickets', {
  ticketHash: text('ticket_hash').primaryKey(),
  purpose: text('purpose', { enum: ['verify', 'enrol'] }).notNull(),
  way: text('way', { enum: ['password', 'link'] }).notNull(),
  person: text('person').notNull(),
  accountId: integer('account_id').notNull(),
  ramId: integer('ram_id'),
  credential: text('credential').notNull(),
  tries: integer('tries').notNull().default(0),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
})
