import { type SQL, and, eq, sql } from 'drizzle-orm'
import { randomId } from '#security/secrets.ts'
import type { Db } from './client.ts'
import { ramAccounts } from './schema/accounts.ts'

type NewRam = Omit<typeof ramAccounts.$inferInsert, 'id' | 'roleId'> & { readonly roleId: number | SQL }

/**
 * A sub-account under a random id: that of a deleted one never comes again, so that nobody inherits the tickets, messages and
 * counters which are kept under the key of its person.
 */
export const insertRam = (db: Db, row: NewRam) =>
  db
    .insert(ramAccounts)
    .values({ ...row, id: randomId(), roleId: row.roleId as number })
    .returning({ id: ramAccounts.id })

/** Who has the name in an account, in any case. Read before a password is hashed; the unique index decides a race. */
export const selectRamByName = (db: Db, accountId: number | SQL, username: string) =>
  db
    .select({ id: ramAccounts.id })
    .from(ramAccounts)
    .where(and(sql`${ramAccounts.accountId} = ${accountId}`, eq(ramAccounts.username, username)))

/** Guard condition: rights and status are those that were read, so that no session opens with rights which have just ended. */
export const hasRights = ({ accountId, ramId, flags, networks }: ReadRights): SQL =>
  sql`exists (select 1 from ram_accounts join ram_roles on ram_roles.id = ram_accounts.role_id
    where ram_accounts.id = ${ramId} and ram_accounts.account_id = ${accountId} and ram_accounts.status = 1
    and ram_roles.flags = ${flags} and ram_roles.networks is ${networks})`

interface ReadRights {
  readonly accountId: number
  readonly ramId: number
  readonly flags: string | null
  readonly networks: string | null
}
