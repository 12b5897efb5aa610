import { eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { accounts, recoveries } from '#db/schema/accounts.ts'

interface ContactColumns {
  readonly areaCode?: string
  readonly phone?: string
  readonly email?: string
}

export const updateContact = (db: Db, accountId: number, columns: ContactColumns) =>
  db.update(accounts).set(columns).where(eq(accounts.id, accountId))

export interface ProfileColumns {
  readonly nickname: string
  readonly birthday: string
  readonly industry: string
  readonly occupation: string
}

export const selectProfile = (db: Db, accountId: number) =>
  db
    .select({
      account: accounts.username,
      nickname: accounts.nickname,
      birthday: accounts.birthday,
      industry: accounts.industry,
      occupation: accounts.occupation,
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))

export const updateProfile = (db: Db, accountId: number, columns: ProfileColumns) =>
  db.update(accounts).set(columns).where(eq(accounts.id, accountId))

/** Refuses the batch where another session has bound a contact since: then it takes the identity step. */
export const guardNoContact = (db: Db, accountId: number) =>
  guard(
    db,
    sql`exists (select 1 from accounts where id = ${accountId} and phone is null and email is null)`,
    violation('IDENTITY_REQUIRED'),
  )

/** Deletes recoveries that were begun with the earlier contacts and password. */
export const deleteRecoveries = (db: Db, accountId: number) =>
  db.delete(recoveries).where(eq(recoveries.accountId, accountId))
