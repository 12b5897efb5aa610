import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'

/* Tables of monitoring: settings, mutes, webhooks, contacts, handlers of rows that need attention. */

export const contacts = sqliteTable('contacts', {
  ...ownedRow,
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
  ...ownedRow,
  contactId: integer('contact_id').notNull(),
  tokenHash: text('token_hash').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export const contactWarnings = sqliteTable('contact_warnings', {
  ...ownedRow,
  contactId: integer('contact_id').notNull(),
  expiresAt: integer('expires_at').notNull(),
  days: integer('days').notNull(),
  mailDueAt: integer('mail_due_at'),
  mailTries: integer('mail_tries').notNull().default(0),
})

export const mailRefusals = sqliteTable('mail_refusals', {
  addressHash: text('address_hash').primaryKey(),
  refusedAt: integer('refused_at').notNull(),
})

export const monitorSettings = sqliteTable('monitor_settings', {
  accountId: integer('account_id').primaryKey(),
  enabled: integer('enabled').notNull().default(0),
  emailConfirm: integer('email_confirm').notNull().default(0),
  webhookConfirm: integer('webhook_confirm').notNull().default(0),
  allRouters: integer('all_routers').notNull().default(1),
  rules: text('rules').notNull().default('{}'),
  quietOn: integer('quiet_on').notNull().default(0),
  quietStart: integer('quiet_start').notNull().default(1320),
  quietEnd: integer('quiet_end').notNull().default(480),
  contacts: text('contacts').notNull().default('[]'),
  escalation: text('escalation').notNull().default('[]'),
  updatedAt: integer('updated_at').notNull(),
})

export const monitorRouters = sqliteTable('monitor_routers', {
  accountId: integer('account_id').notNull(),
  routerId: integer('router_id').primaryKey(),
})

export const monitorMutes = sqliteTable('monitor_mutes', {
  ...ownedRow,
  kind: text('kind', { enum: ['all', 'router', 'network'] }).notNull(),
  target: text('target').notNull(),
  untilAt: integer('until_at').notNull(),
  createdBy: text('created_by').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const alertCommands = sqliteTable('alert_commands', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  kind: text('kind', { enum: ['acknowledge', 'resend'] }).notNull(),
  target: text('target').notNull(),
  actor: text('actor').notNull(),
  at: integer('at').notNull(),
})

export const attentionHandlers = sqliteTable('attention_handlers', {
  ...ownedRow,
  trouble: text('trouble').notNull(),
  name: text('name').notNull(),
  at: integer('at').notNull(),
})

export const webhooks = sqliteTable('webhooks', {
  accountId: integer('account_id').primaryKey(),
  type: text('type', { enum: ['dingtalk', 'feishu', 'wechat', 'other'] }).notNull(),
  urlSealed: text('url_sealed').notNull(),
  urlMasked: text('url_masked').notNull(),
  secretSealed: text('secret_sealed').notNull().default(''),
  updatedAt: integer('updated_at').notNull(),
})
