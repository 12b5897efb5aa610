import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'
import { LDAP_MODES } from '#contract/ldap/limits.ts'

/* Tables of LDAP directories: hub, configuration, imported members, runs, proved domains. */

export const ldapHubs = sqliteTable('ldap_hubs', {
  accountId: integer('account_id').primaryKey(),
  hub: text('hub').notNull(),
  dueAt: integer('due_at'),
})

export const ldapConfigs = sqliteTable('ldap_configs', {
  accountId: integer('account_id').primaryKey(),
  revision: integer('revision').notNull(),
  mode: text('mode', { enum: LDAP_MODES }).notNull(),
  routerId: integer('router_id'),
  domain: text('domain').notNull(),
  host: text('host').notNull(),
  port: integer('port').notNull(),
  baseDn: text('base_dn').notNull(),
  security: text('security', { enum: ['none', 'starttls', 'ldaps'] }).notNull(),
  caKey: text('ca_key'),
  certificateName: text('certificate_name').notNull().default(''),
  username: text('username').notNull(),
  passwordSealed: text('password_sealed').notNull(),
  userFilter: text('user_filter').notNull().default(''),
  usernameAttribute: text('username_attribute').notNull().default(''),
  phoneAttribute: text('phone_attribute').notNull().default(''),
  networkId: integer('network_id'),
  syncMode: integer('sync_mode').$type<1 | 2>().notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const ldapMembers = sqliteTable('ldap_members', {
  routerId: integer('router_id').primaryKey(),
  accountId: integer('account_id').notNull(),
  directoryId: text('directory_id').notNull(),
  note: text('note').notNull(),
  disabledByRun: integer('disabled_by_run').$type<0 | 1>().notNull().default(0),
})

export const ldapRuns = sqliteTable('ldap_runs', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  kind: text('kind', { enum: ['list', 'sync', 'import', 'remove', 'undo', 'close'] }).notNull(),
  state: text('state', { enum: ['done', 'failed', 'asking'] }).notNull(),
  actorName: text('actor_name').notNull(),
  counts: text('counts').notNull(),
  failure: text('failure').notNull().default(''),
  canUndo: integer('can_undo').$type<0 | 1>().notNull().default(0),
  startedAt: integer('started_at').notNull(),
  endedAt: integer('ended_at').notNull(),
})

export const ldapDomains = sqliteTable('ldap_domains', {
  ...ownedRow,
  domain: text('domain').notNull(),
  provedAt: integer('proved_at').notNull(),
})
