import { and, desc, eq, or, sql, type SQL } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { contains } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { ramAccounts, ramRoles } from '#db/schema/accounts.ts'
import { networks } from '#db/schema/networks.ts'

/* Statements on roles of sub-accounts: rows, guards, and the networks that a role lists. */

type RoleRow = typeof ramRoles.$inferSelect
type RoleKey = Pick<RoleRow, 'accountId' | 'id'>

export const insertRole = (db: Db, row: typeof ramRoles.$inferInsert) =>
  db.insert(ramRoles).values(row).returning({ id: ramRoles.id })

/** Role by its name. Read before a password is hashed; the unique index decides between parallel calls. */
export const selectRoleByName = (db: Db, accountId: SQL, name: string) =>
  db
    .select({ id: ramRoles.id })
    .from(ramRoles)
    .where(and(sql`${ramRoles.accountId} = ${accountId}`, eq(ramRoles.name, name)))

export const updateRole = (
  db: Db,
  { accountId, id }: RoleKey,
  set: Partial<Pick<RoleRow, 'name' | 'note' | 'flags' | 'networks' | 'updatedAt'>>,
) => db.update(ramRoles).set(set).where(isRole(accountId, id))

export const guardRole = (db: Db, accountId: number, id: number, refusal: 'RAM_ROLE_NOT_FOUND' | 'RAM_ROLE_UNKNOWN') =>
  guard(db, sql`exists (select 1 from ram_roles where account_id = ${accountId} and id = ${id})`, violation(refusal))

export const guardRoleNetworks = (db: Db, accountId: number, networks: string) =>
  guard(
    db,
    sql`not exists (select 1 from json_each(${networks}) where value not in (
      select number from networks where account_id = ${accountId}))`,
    violation('RAM_ROLE_NETWORK'),
  )

const isListed = (accountId: number, number: string): SQL =>
  sql`account_id = ${accountId} and networks is not null and exists (
    select 1 from json_each(networks) where value = ${number})`

/** Sub-accounts whose roles list the network, for `renewRights`. Runs before `forgetNetwork`. */
export const ramsWithNetwork = (accountId: number, number: string): SQL =>
  sql`select id from ram_accounts where account_id = ${accountId} and role_id in (
    select id from ram_roles where ${isListed(accountId, number)})`

/** Removes a deleted network from the lists of all roles. An empty list means no networks, not all. */
export const forgetNetwork = (db: Db, accountId: number, number: string, now: number) =>
  db.run(sql`
    update ram_roles set updated_at = ${now},
      networks = (select json_group_array(value) from json_each(networks) where value <> ${number})
    where ${isListed(accountId, number)}`)

const hasRole = (accountId: number, id: number) => and(eq(ramAccounts.accountId, accountId), eq(ramAccounts.roleId, id))

export const ramsWithRole = (db: Db, { accountId, id }: RoleKey) =>
  db.select({ id: ramAccounts.id }).from(ramAccounts).where(hasRole(accountId, id))

const columns = {
  id: ramRoles.id,
  name: ramRoles.name,
  note: ramRoles.note,
  flags: ramRoles.flags,
  networks: ramRoles.networks,
  ram_count: sql<number>`(select count(*) from ram_accounts where role_id = ram_roles.id)`.as('ram_count'),
  create_time: ramRoles.createdAt,
  update_time: ramRoles.updatedAt,
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

export const selectNetworkNumbers = (db: Db, accountId: number) =>
  db.select({ number: networks.number }).from(networks).where(eq(networks.accountId, accountId))

export const selectUsers = (db: Db, accountId: number, id: number) =>
  db
    .select({ username: ramAccounts.username })
    .from(ramAccounts)
    .where(hasRole(accountId, id))
    .orderBy(ramAccounts.createdAt, ramAccounts.id)

/** Refuses the batch if a sub-account has got the role meanwhile; the caller then reads its name. */
export const guardUnused = (db: Db, accountId: number, id: number) =>
  guard(
    db,
    sql`not exists (select 1 from ram_accounts where account_id = ${accountId} and role_id = ${id})`,
    violation('RAM_ROLE_IN_USE', { names: '' }),
  )

export const deleteRole = (db: Db, accountId: number, id: number) => db.delete(ramRoles).where(isRole(accountId, id))
