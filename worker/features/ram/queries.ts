import { and, eq } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { accounts, ramAccounts } from '../../db/schema/accounts.ts'

export const selectRamDomain = (db: Db, accountId: number) =>
  db.select({ domain: accounts.ramDomain }).from(accounts).where(eq(accounts.id, accountId))

export const updateRamPassword = (db: Db, accountId: number, ramId: number, password: string) =>
  db
    .update(ramAccounts)
    .set({ password })
    .where(and(eq(ramAccounts.accountId, accountId), eq(ramAccounts.id, ramId)))
