import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'

/* Tables of POP access: areas and their nodes, POP resources of networks, orders. */

export const pops = sqliteTable('pops', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  status: integer('status').$type<0 | 1>().notNull().default(1),
  createdAt: integer('created_at').notNull(),
})

export const popNodes = sqliteTable('pop_nodes', {
  id: integer('id').primaryKey(),
  popId: integer('pop_id').notNull(),
  routerId: integer('router_id').notNull(),
  status: integer('status').$type<0 | 1>().notNull().default(1),
  createdAt: integer('created_at').notNull(),
})

export const networkFrs = sqliteTable('network_frs', {
  ...ownedRow,
  name: text('name').notNull(),
  shortname: text('shortname').notNull().default(''),
  status: integer('status').$type<0 | 1>().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  expireAt: integer('expire_at').notNull(),
  lapsed: integer('lapsed').$type<0 | 1>().notNull().default(0),
})

export const networkFrAreas = sqliteTable('network_fr_areas', {
  ...ownedRow,
  frId: integer('fr_id').notNull(),
  popId: integer('pop_id').notNull(),
  bandwidth: integer('bandwidth').notNull(),
})

export const popMembers = sqliteTable('pop_members', {
  ...ownedRow,
  networkId: integer('network_id').notNull(),
  areaId: integer('area_id').notNull(),
  routerId: integer('router_id').notNull(),
  segmentIndex: integer('segment_index').notNull(),
  portIndex: integer('port_index'),
})

export const networkTickets = sqliteTable('network_tickets', {
  ...ownedRow,
  number: text('number').notNull(),
  networkNumber: text('network_number').notNull(),
  type: integer('type').notNull().default(1001),
  status: integer('status').$type<1 | 2 | 3 | 4>().notNull().default(1),
  attributes: text('attributes').notNull(),
  note: text('note').notNull().default(''),
  frId: integer('fr_id'),
  createdBy: text('created_by').notNull(),
  createdAt: integer('created_at').notNull(),
  completedAt: integer('completed_at'),
})
