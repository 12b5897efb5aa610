import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const networks = sqliteTable('networks', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
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
})

export const networkMembers = sqliteTable('network_members', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
  networkId: integer('network_id').notNull(),
  routerId: integer('router_id').notNull(),
  memberType: text('member_type', { enum: ['center', 'point'] }).notNull(),
  segmentIndex: integer('segment_index'),
  host: integer('host').notNull(),
  joinedAt: integer('joined_at').notNull(),
})
