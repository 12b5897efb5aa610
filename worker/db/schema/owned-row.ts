import { integer } from 'drizzle-orm/sqlite-core'

/** Columns of each row that belongs to an account. */
export const ownedRow = {
  id: integer('id').primaryKey(),
  accountId: integer('account_id').notNull(),
}
