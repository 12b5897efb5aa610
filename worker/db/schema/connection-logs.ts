import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const connectionLogs = sqliteTable('connection_logs', {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
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
})
