import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'
import { AUTH_SOURCE_TYPES } from '#contract/auth-source/index.ts'

/* Tables of auth sources (WeCom, Feishu, DingTalk): settings, bindings of members, open sign-ins. */

export const authSourceCodes = sqliteTable('auth_source_codes', {
  accountId: integer('account_id').primaryKey(),
  code: text('code').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const authSources = sqliteTable('auth_sources', {
  ...ownedRow,
  type: text('type', { enum: AUTH_SOURCE_TYPES }).notNull(),
  name: text('name').notNull(),
  appId: text('app_id').notNull(),
  agentId: text('agent_id').notNull().default(''),
  corpId: text('corp_id').notNull().default(''),
  secretSealed: text('secret_sealed').notNull(),
  tenant: text('tenant').notNull().default(''),
  authDomain: text('auth_domain').notNull().default(''),
  fileName: text('file_name').notNull().default(''),
  fileContent: text('file_content').notNull().default(''),
  status: integer('status').$type<0 | 1>().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const authBindings = sqliteTable('auth_bindings', {
  id: integer('id').primaryKey(),
  sourceId: integer('source_id').notNull(),
  accountId: integer('account_id').notNull(),
  tenant: text('tenant').notNull(),
  userId: text('user_id').notNull(),
  routerId: integer('router_id').notNull(),
  areaCode: text('area_code').notNull(),
  phone: text('phone').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const authRequests = sqliteTable('auth_requests', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  sourceId: integer('source_id').notNull(),
  stateHash: text('state_hash').notNull(),
  challenge: text('challenge').notNull(),
  redirectUri: text('redirect_uri').notNull(),
  step: text('step', { enum: ['waiting', 'exchanging', 'confirming', 'matched', 'refused', 'done'] }).notNull(),
  userId: text('user_id').notNull().default(''),
  routerId: integer('router_id'),
  reason: text('reason'),
  device: text('device').notNull(),
  ip: text('ip').notNull(),
  ipBlock: text('ip_block').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})
