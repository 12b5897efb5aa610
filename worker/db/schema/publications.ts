import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { PLATFORMS } from '#contract/download/index.ts'

/* Tables of publications of the operator: handbook, builds of the client application. */

export const documents = sqliteTable('documents', {
  id: text('id').primaryKey(),
  fid: text('fid').notNull().default(''),
  type: integer('type').notNull(),
  title: text('title').notNull(),
  position: integer('position').notNull(),
  text: text('text').notNull().default(''),
  toc: text('toc').notNull().default('[]'),
  digest: text('digest').notNull().default(''),
  updatedAt: integer('updated_at').notNull(),
  html: text('html').notNull().default(''),
})

export const handbookImports = sqliteTable('handbook_imports', {
  id: integer('id').primaryKey(),
  digest: text('digest').notNull(),
  images: text('images').notNull(),
  importedAt: integer('imported_at').notNull(),
})

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
