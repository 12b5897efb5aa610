import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'

/* Tables of the client application: its sessions and profiles, logs of sign-ins and dials, earlier suffixes. */

export const clientSessions = sqliteTable('client_sessions', {
  id: text('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  routerId: integer('router_id').notNull(),
  refreshHash: text('refresh_hash').notNull(),
  refreshParent: text('refresh_parent').notNull().default(''),
  os: text('os').notNull().default(''),
  clientVersion: text('client_version').notNull().default(''),
  ip: text('ip').notNull(),
  createdAt: integer('created_at').notNull(),
  rotatedAt: integer('rotated_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  endedAt: integer('ended_at'),
  authSourceId: integer('auth_source_id'),
})

export const clientProfiles = sqliteTable('client_profiles', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  accountId: integer('account_id').notNull(),
  routerId: integer('router_id').notNull(),
  networkId: integer('network_id').notNull(),
  routerName: text('router_name').notNull(),
  deviceName: text('device_name').notNull(),
  credentialVersion: integer('credential_version').notNull(),
  issuedAt: integer('issued_at').notNull(),
  issuedIp: text('issued_ip').notNull(),
  expiresAt: integer('expires_at').notNull(),
  lastDialAt: integer('last_dial_at'),
  revokedAt: integer('revoked_at'),
  warnedAt: integer('warned_at'),
  linkHash: text('link_hash'),
  linkExpiresAt: integer('link_expires_at'),
})

export const softwareLoginLogs = sqliteTable('software_login_logs', {
  ...ownedRow,
  routerName: text('router_name').notNull(),
  ok: integer('ok').$type<0 | 1>().notNull(),
  reason: text('reason').notNull().default(''),
  ip: text('ip').notNull(),
  os: text('os').notNull().default(''),
  version: text('version').notNull().default(''),
  sysBrand: text('sys_brand').notNull().default(''),
  sysModel: text('sys_model').notNull().default(''),
  sysVersion: text('sys_version').notNull().default(''),
  at: integer('at').notNull(),
  routerId: integer('router_id'),
  routerUid: text('router_uid'),
})

export const dialLogs = sqliteTable('dial_logs', {
  ...ownedRow,
  key: text('key').notNull(),
  mode: text('mode', { enum: ['p2p', 'pop'] }).notNull(),
  networkNumber: text('network_number').notNull(),
  routerName: text('router_name').notNull(),
  linkRouterName: text('link_router_name').notNull(),
  popName: text('pop_name').notNull().default(''),
  area: text('area').notNull().default(''),
  orig: text('orig').notNull().default(''),
  vpnIp: text('vpn_ip').notNull().default(''),
  rx: integer('rx').notNull().default(0),
  tx: integer('tx').notNull().default(0),
  reason: text('reason').notNull().default(''),
  startAt: integer('start_at').notNull(),
  endAt: integer('end_at'),
  seenAt: integer('seen_at').notNull().default(0),
  routerId: integer('router_id'),
  linkId: integer('link_id'),
  isLink: integer('is_link').$type<0 | 1>().notNull().default(0),
  routerUid: text('router_uid'),
})

export const oldSigns = sqliteTable('old_signs', {
  ...ownedRow,
  sign: text('sign').notNull(),
  expiresAt: integer('expires_at').notNull(),
})
