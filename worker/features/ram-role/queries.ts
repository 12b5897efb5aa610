import { and, desc, eq, or, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { contains } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { ramAccounts, ramRoles } from '#db/schema/accounts.ts'
import { networks } from '#db/schema/networks.ts'

const columns = {
  id: ramRoles.id,
  name: ramRoles.name,
  note: ramRoles.note,
  flags: ramRoles.flags,
  networks: ramRoles.networks,
  ramCount: sql<number>`(select count(*) from ram_accounts where role_id = ram_roles.id)`.as('ram_count'),
  createdAt: ramRoles.createdAt,
  updatedAt: ramRoles.updatedAt,
}

const isRole = (accountId: number, id: number) => and(eq(ramRoles.accountId, accountId), eq(ramRoles.id, id))

export const selectRoles = (db: Db, accountId: number, search: string) =>
  db
    .select(columns)
    .from(ramRoles)
    .where(
      and(
        eq(ramRoles.accountId, accountId),
        search === '' ? undefined : or(contains(ramRoles.name, search), contains(ramRoles.note, search)),
      ),
    )
    .orderBy(desc(ramRoles.id))

export const selectRole = (db: Db, accountId: number, id: number) =>
  db.select(columns).from(ramRoles).where(isRole(accountId, id))

export const selectRoleNames = (db: Db, accountId: number) =>
  db
    .select({ id: ramRoles.id, name: ramRoles.name })
    .from(ramRoles)
    .where(eq(ramRoles.accountId, accountId))
    .orderBy(ramRoles.name)

/** Numbers of all networks of the account. */
export const selectNetworkNumbers = (db: Db, accountId: number) =>
  db.select({ number: networks.number }).from(networks).where(eq(networks.accountId, accountId))

/** Names of the sub-accounts that have the role, in the order in which they were made. */
export const selectUsers = (db: Db, accountId: number, id: number) =>
  db
    .select({ username: ramAccounts.username })
    .from(ramAccounts)
    .where(and(eq(ramAccounts.accountId, accountId), eq(ramAccounts.roleId, id)))
    .orderBy(ramAccounts.createdAt, ramAccounts.id)

/** Refuses the batch where a sub-account has got the role since then; who it is has to be read again. */
export const guardUnused = (db: Db, accountId: number, id: number) =>
  guard(
    db,
    sql`not exists (select 1 from ram_accounts where account_id = ${accountId} and role_id = ${id})`,
    violation('RAM_ROLE_IN_USE', { names: '' }),
  )

export const deleteRole = (db: Db, accountId: number, id: number) => db.delete(ramRoles).where(isRole(accountId, id))
