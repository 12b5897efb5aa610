import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'

/* Tables of routers: devices, members, their last state, the connection log. */

export const devices = sqliteTable('devices', {
  id: integer('id').primaryKey(),
  serial: text('serial').notNull(),
  model: text('model').notNull(),
  activationHash: text('activation_hash').notNull(),
  publicKey: text('public_key'),
  keyAt: integer('key_at'),
  createdAt: integer('created_at').notNull(),
  resetAt: integer('reset_at'),
})

export const removedDevices = sqliteTable('removed_devices', {
  serial: text('serial').primaryKey(),
  publicKey: text('public_key'),
  removedAt: integer('removed_at').notNull(),
})

export const routers = sqliteTable('routers', {
  ...ownedRow,
  name: text('name').notNull(),
  routerType: integer('router_type').$type<1 | 2>().notNull(),
  deviceId: integer('device_id'),
  note: text('note').notNull().default(''),
  status: integer('status').$type<0 | 1>().notNull().default(1),
  password: text('password'),
  areaCode: text('area_code').notNull().default('86'),
  phone: text('phone'),
  source: text('source', { enum: ['manual', 'batch', 'ldap'] })
    .notNull()
    .default('manual'),
  createdAt: integer('created_at').notNull(),
  hub: text('hub').notNull().default(''),
  leftNetwork: text('left_network'),
  staticRoutes: text('static_routes').notNull().default('[]'),
  staticRoutesRevision: integer('static_routes_revision').notNull().default(0),
  passwordSealed: text('password_sealed'),
  credentialVersion: integer('credential_version').notNull().default(0),
  noteRevision: integer('note_revision').notNull().default(0),
  uid: text('uid'),
  endpoints: text('endpoints').notNull().default('[]'),
  endpointsRevision: integer('endpoints_revision').notNull().default(0),
  movedFrom: text('moved_from'),
})

export const routerStates = sqliteTable('router_states', {
  routerId: integer('router_id').primaryKey(),
  presence: text('presence', { enum: ['never', 'online', 'reconnecting', 'offline', 'flapping', 'disabled'] })
    .notNull()
    .default('never'),
  presenceSince: integer('presence_since'),
  presenceReason: text('presence_reason').notNull().default(''),
  lastSeenAt: integer('last_seen_at'),
  remoteHost: text('remote_host'),
  probePort: integer('probe_port'),
  version: text('version').notNull().default(''),
  mac: text('mac').notNull().default(''),
  os: text('os').notNull().default(''),
  interfaces: text('interfaces').notNull().default('[]'),
  configState: text('config_state', {
    enum: ['none', 'queued', 'pushing', 'applied', 'failed', 'reverted', 'unsynced'],
  })
    .notNull()
    .default('none'),
  configVersion: integer('config_version').notNull().default(0),
  configAppliedVersion: integer('config_applied_version'),
  configReason: text('config_reason').notNull().default(''),
  configAt: integer('config_at'),
  live: integer('live').$type<0 | 1>().notNull().default(0),
  configConfirmedAt: integer('config_confirmed_at'),
  notifiedPresence: text('notified_presence', {
    enum: ['never', 'online', 'reconnecting', 'offline', 'flapping', 'disabled'],
  }),
  clientCapabilities: text('client_capabilities'),
  tunnel: integer('tunnel').$type<0 | 1>(),
  unreadableSince: integer('unreadable_since'),
  vpn: integer('vpn').$type<0 | 1>(),
  certificateRequest: text('certificate_request'),
  certificateRefusal: text('certificate_refusal'),
  certificateRefusedAt: integer('certificate_refused_at'),
  configRefused: text('config_refused').notNull().default('[]'),
  endpoints: text('endpoints'),
})

export const connectionLogs = sqliteTable('connection_logs', {
  ...ownedRow,
  routerName: text('router_name').notNull(),
  epoch: integer('epoch').notNull(),
  online: integer('online').notNull(),
  remoteIp: text('remote_ip').notNull(),
  remotePort: integer('remote_port').notNull(),
  version: text('version').notNull(),
  reason: text('reason').notNull().default(''),
  at: integer('at').notNull(),
  routerId: integer('router_id'),
  localIp: text('local_ip').notNull().default(''),
  upload: integer('upload'),
  download: integer('download'),
  routerUid: text('router_uid'),
})
