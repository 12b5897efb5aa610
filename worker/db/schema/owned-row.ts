import { integer } from 'drizzle-orm/sqlite-core'

/** Columns that every table of rows of an account begins with. */
export const ownedRow = {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
}
