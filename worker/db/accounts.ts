import { type SQL, eq, sql } from 'drizzle-orm'
import { type Violation, violation } from '#contract/kernel/result.ts'
import type { Db } from './client.ts'
import { accounts } from './schema/accounts.ts'

/** Name of the account's hub: its place is where hubs of its routers and networks are made. */
export const selectAccountHub = (db: Db, accountId: number) =>
  db.select({ hub: accounts.hub }).from(accounts).where(eq(accounts.id, accountId))

/** Phone and e-mail of an account. */
export const selectContacts = (db: Db, accountId: number) =>
  db
    .select({ areaCode: accounts.areaCode, phone: accounts.phone, email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, accountId))

/** '' for the main host; domain/site/brand.ts `hostOfAccount`. */
export const selectAccountHost = (db: Db, accountId: number) =>
  db.select({ host: accounts.host }).from(accounts).where(eq(accounts.id, accountId))

/** Flags and quantities of an account that its networks' settings depend on, with the name of its hub. */
export const selectFeatures = (db: Db, accountId: number) =>
  db
    .select({
      hub: accounts.hub,
      quagga: accounts.quagga,
      quaggaAdvanced: accounts.quaggaAdvanced,
      defaultRoute: accounts.defaultRoute,
      dnsQuantity: accounts.dnsQuantity,
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))

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

interface AccountNames {
  readonly username: string
  readonly areaCode?: string | undefined
  readonly phone?: string | null | undefined
  readonly email?: string | null | undefined
  readonly sign?: string | null | undefined
}

/**
 * Columns that another account holds, as `mapUniqueViolation` names them: asked before a password is hashed. The indexes
 * decide where two race.
 */
export const selectTaken = (db: Db, { username, areaCode, phone, email, sign }: AccountNames) =>
  db.all<[string]>(sql`
    select 'accounts.username' where exists (select 1 from accounts where username = ${username} or ram_domain = ${username})
    union all select 'accounts.area_code' where exists (
      select 1 from accounts where area_code = ${areaCode ?? null} and phone = ${phone ?? null})
    union all select 'accounts.email' where exists (select 1 from accounts where email = ${email ?? null})
    union all select 'accounts.sign' where exists (select 1 from accounts where sign = ${sign ?? null})`)

/** The refusal for the first of them. */
export const checkTaken = (
  [first]: readonly (readonly [string])[],
  refusals: Readonly<Record<string, Violation>>,
): Violation | null => refusals[first?.[0] ?? ''] ?? null

export const updatePassword = (db: Db, accountId: number, password: string) =>
  db.update(accounts).set({ password }).where(eq(accounts.id, accountId))
