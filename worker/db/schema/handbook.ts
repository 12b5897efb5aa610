import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
