import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { PLATFORMS } from '#contract/download/index.ts'

export const releases = sqliteTable('releases', {
  id: integer('id').primaryKey(),
  key: text('key').notNull(),
  platform: text('platform', { enum: PLATFORMS }).notNull(),
  panel: text('panel').notNull().default(''),
  distribution: text('distribution').notNull().default(''),
  version: text('version').notNull(),
  name: text('name').notNull(),
  bytes: integer('bytes').notNull(),
  sha256: text('sha256').notNull(),
  notes: text('notes').notNull().default(''),
  releasedAt: integer('released_at').notNull(),
})
