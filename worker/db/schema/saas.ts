import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'

/* Tables of SaaS devices and bandwidth pools. */

export const bandwidthPools = sqliteTable('bandwidth_pools', {
  ...ownedRow,
  name: text('name').notNull(),
  max: integer('max').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const saasDevices = sqliteTable('saas_devices', {
  routerId: integer('router_id').primaryKey(),
  accountId: integer('account_id').notNull(),
  groupName: text('group_name').notNull().default(''),
  share: integer('share').$type<0 | 1>().notNull(),
  bandwidth: integer('bandwidth').notNull(),
  maxBandwidth: integer('max_bandwidth').notNull(),
  expireAt: integer('expire_at').notNull(),
  poolId: integer('pool_id'),
  country: text('country').notNull().default(''),
  tempBandwidth: integer('temp_bandwidth'),
  tempStartAt: integer('temp_start_at'),
  tempExpireAt: integer('temp_expire_at'),
  createdAt: integer('created_at').notNull(),
})
