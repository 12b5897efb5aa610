import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const networkSettings = sqliteTable('network_settings', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  networkId: integer('network_id').notNull(),
  setting: text('setting').notNull(),
  value: text('value').notNull(),
  revision: integer('revision').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const memberSettings = sqliteTable('member_settings', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  networkId: integer('network_id').notNull(),
  routerId: integer('router_id').notNull(),
  setting: text('setting').notNull(),
  value: text('value').notNull(),
  revision: integer('revision').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const pointLinks = sqliteTable('point_links', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  networkId: integer('network_id').notNull(),
  serverId: integer('server_id').notNull(),
  clientId: integer('client_id').notNull(),
  gateway: text('gateway').notNull(),
  mask: integer('mask').notNull(),
  staticPort: integer('static_port'),
  port: integer('port').notNull(),
})

export const portClaims = sqliteTable('port_claims', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  networkId: integer('network_id').notNull(),
  routerId: integer('router_id').notNull(),
  service: text('service', { enum: ['router', 'software', 'center_link'] }).notNull(),
  staticPort: integer('static_port'),
  publicIp: text('public_ip'),
  publicPort: integer('public_port'),
})

export const networkVersions = sqliteTable('network_versions', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  networkId: integer('network_id').notNull(),
  version: integer('version').notNull(),
  changes: text('changes').notNull(),
  actorKind: text('actor_kind', { enum: ['main', 'ram', 'operator', 'system'] }).notNull(),
  actorName: text('actor_name').notNull(),
  at: integer('at').notNull(),
})
