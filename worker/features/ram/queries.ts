import { type SQL, and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { accounts, ramAccounts, ramRoles } from '../../db/schema/accounts.ts'

export const ramDomainOf = (db: Db, accountId: number) =>
  db.select({ domain: accounts.ramDomain }).from(accounts).where(eq(accounts.id, accountId))

export const ramPasswordOf = (db: Db, accountId: number, ramId: number) =>
  db
    .select({ password: ramAccounts.password })
    .from(ramAccounts)
    .where(and(eq(ramAccounts.accountId, accountId), eq(ramAccounts.id, ramId)))

export const setRamPassword = (db: Db, accountId: number, ramId: number, password: string) =>
  db
    .update(ramAccounts)
    .set({ password })
    .where(and(eq(ramAccounts.accountId, accountId), eq(ramAccounts.id, ramId)))

export const insertRole = (db: Db, row: typeof ramRoles.$inferInsert) => db.insert(ramRoles).values(row)

/** The id of a role that is made in the same batch. */
export const roleIdNamed = (accountId: number, name: string): SQL =>
  sql`(select id from ram_roles where account_id = ${accountId} and name = ${name})`

export const insertRam = (db: Db, row: Omit<typeof ramAccounts.$inferInsert, 'roleId'> & { readonly roleId: SQL }) =>
  db.insert(ramAccounts).values(row).returning({ id: ramAccounts.id })
