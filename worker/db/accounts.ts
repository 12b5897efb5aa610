import { type SQL, eq, sql } from 'drizzle-orm'
import { violation } from '../contract/errors.ts'
import type { Db } from './client.ts'
import { accounts } from './schema/accounts.ts'

/** Name of the account's hub: its place is where hubs of its routers and networks are made. */
export const selectAccountHub = (db: Db, accountId: number) =>
  db.select({ hub: accounts.hub }).from(accounts).where(eq(accounts.id, accountId))

/** Its user name is also the suffix of its sub-accounts: `name@username`. */
export const insertAccount = (
  db: Db,
  row: Omit<typeof accounts.$inferInsert, 'ramDomain' | 'hub'> & { readonly hub: string },
) =>
  db
    .insert(accounts)
    .values({ ...row, ramDomain: row.username })
    .returning({ id: accounts.id })

/** The id of an account that the same batch inserts. */
export const accountIdSql = (username: string): SQL => sql`(select id from accounts where username = ${username})`

/** For `mapUniqueViolation` where an account is made. */
export const USERNAME_TAKEN = {
  'accounts.username': violation('USERNAME_TAKEN'),
  'accounts.ram_domain': violation('USERNAME_TAKEN'),
}

export const updatePassword = (db: Db, accountId: number, password: string) =>
  db.update(accounts).set({ password }).where(eq(accounts.id, accountId))
