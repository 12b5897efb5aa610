import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'

/* Tables of certificate authorities: certificates of routers, revocations and their lists. */

export const authorities = sqliteTable('authorities', {
  ...ownedRow,
  name: text('name').notNull(),
  certificate: text('certificate').notNull(),
  keySealed: text('key_sealed').notNull(),
  expiresAt: integer('expires_at').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const certificates = sqliteTable('certificates', {
  ...ownedRow,
  authorityId: integer('authority_id').notNull(),
  routerId: integer('router_id'),
  routerName: text('router_name').notNull(),
  serial: text('serial').notNull(),
  requestHash: text('request_hash').notNull(),
  isServer: integer('is_server').$type<0 | 1>().notNull(),
  certificate: text('certificate').notNull(),
  issuedAt: integer('issued_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  revokedAt: integer('revoked_at'),
  isGateway: integer('is_gateway').$type<0 | 1>().notNull().default(0),
})

export const revocations = sqliteTable('revocations', {
  ...ownedRow,
  networkId: integer('network_id').notNull(),
  serial: text('serial').notNull(),
  revokedAt: integer('revoked_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export const revocationLists = sqliteTable('revocation_lists', {
  networkId: integer('network_id').primaryKey(),
  accountId: integer('account_id').notNull(),
  authorityId: integer('authority_id').notNull(),
  newest: integer('newest').notNull(),
  list: text('list').notNull(),
})
