import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'
import { NETWORK_JOB_KINDS } from '#contract/network/jobs.ts'

/* Tables of networks: members, settings, versions, jobs. */

export const networks = sqliteTable('networks', {
  ...ownedRow,
  number: text('number').notNull(),
  name: text('name').notNull(),
  networkType: integer('network_type').notNull().default(1),
  mode: integer('mode').notNull().default(1),
  status: integer('status').$type<0 | 1>().notNull().default(1),
  ciphers: text('ciphers', { enum: ['default', 'sm'] })
    .notNull()
    .default('default'),
  secret: text('secret').notNull(),
  revision: integer('revision').notNull().default(1),
  createdAt: integer('created_at').notNull(),
  hub: text('hub').notNull().default(''),
  createKey: text('create_key'),
  suspendedAt: integer('suspended_at'),
  withdrawn: integer('withdrawn').$type<0 | 1>().notNull().default(0),
  frId: integer('fr_id'),
  ciphersAt: integer('ciphers_at'),
  secretSealed: text('secret_sealed').notNull().default(''),
  severity: integer('severity').notNull().default(0),
})

export const networkMembers = sqliteTable('network_members', {
  ...ownedRow,
  networkId: integer('network_id').notNull(),
  routerId: integer('router_id').notNull(),
  memberType: text('member_type', { enum: ['center', 'point'] }).notNull(),
  segmentIndex: integer('segment_index'),
  host: integer('host').notNull(),
  joinedAt: integer('joined_at').notNull(),
  singleCenter: integer('single_center').$type<0 | 1>().notNull().default(0),
})

export const networkJobs = sqliteTable('network_jobs', {
  ...ownedRow,
  networkId: integer('network_id').notNull(),
  jobId: text('job_id').notNull(),
  kind: text('kind', { enum: NETWORK_JOB_KINDS }).notNull(),
  routerId: integer('router_id').notNull(),
  params: text('params').notNull(),
  state: text('state', { enum: ['pending', 'done', 'failed', 'expired'] })
    .notNull()
    .default('pending'),
  reason: text('reason').notNull().default(''),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  data: text('data'),
})

export const networkSettings = sqliteTable('network_settings', {
  ...ownedRow,
  networkId: integer('network_id').notNull(),
  setting: text('setting').notNull(),
  value: text('value').notNull(),
  revision: integer('revision').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const memberSettings = sqliteTable('member_settings', {
  ...ownedRow,
  networkId: integer('network_id').notNull(),
  routerId: integer('router_id').notNull(),
  setting: text('setting').notNull(),
  value: text('value').notNull(),
  revision: integer('revision').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const pointLinks = sqliteTable('point_links', {
  ...ownedRow,
  networkId: integer('network_id').notNull(),
  serverId: integer('server_id').notNull(),
  clientId: integer('client_id').notNull(),
  gateway: text('gateway').notNull(),
  mask: integer('mask').notNull(),
  staticPort: integer('static_port'),
  port: integer('port').notNull(),
  clientPort: integer('client_port'),
})

export const portClaims = sqliteTable('port_claims', {
  ...ownedRow,
  networkId: integer('network_id').notNull(),
  routerId: integer('router_id').notNull(),
  service: text('service', { enum: ['router', 'software', 'center_link'] }).notNull(),
  staticPort: integer('static_port'),
  publicIp: text('public_ip'),
  publicPort: integer('public_port'),
})

export const networkVersions = sqliteTable('network_versions', {
  ...ownedRow,
  networkId: integer('network_id').notNull(),
  version: integer('version').notNull(),
  changes: text('changes').notNull(),
  actorKind: text('actor_kind', { enum: ['main', 'ram', 'operator', 'system'] }).notNull(),
  actorName: text('actor_name').notNull(),
  at: integer('at').notNull(),
})
