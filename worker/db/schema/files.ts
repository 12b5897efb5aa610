import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownedRow } from './owned-row.ts'

/** Table of uploaded files. */
export const files = sqliteTable('files', {
  ...ownedRow,
  key: text('key').notNull(),
  purpose: text('purpose').notNull(),
  name: text('name').notNull(),
  type: text('type').notNull(),
  bytes: integer('bytes').notNull(),
  sha256: text('sha256').notNull(),
  createdBy: text('created_by').notNull(),
  createdAt: integer('created_at').notNull(),
  attachedTo: text('attached_to'),
  person: text('person').notNull().default(''),
})
