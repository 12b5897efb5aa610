import { type SQL, and, asc, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import { AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import { isOwnSource } from '#db/auth-sources.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { authSourceCodes, authSources } from '#db/schema/auth-sources.ts'

/** The account's ID is made once. One that another account has is not stored. */
export const insertCode = (db: Db, accountId: number, code: string, now: number) =>
  db.insert(authSourceCodes).values({ accountId, code, createdAt: now }).onConflictDoNothing()

export const selectCode = (db: Db, accountId: number) =>
  db.select({ code: authSourceCodes.code }).from(authSourceCodes).where(eq(authSourceCodes.accountId, accountId))

export const selectSources = (db: Db, accountId: number) =>
  db
    .select()
    .from(authSources)
    .where(eq(authSources.accountId, accountId))
    .orderBy(asc(authSources.createdAt), asc(authSources.id))

export type StoredSource = Awaited<ReturnType<typeof selectSources>>[number]

export const selectSource = (db: Db, accountId: number, id: number) =>
  db.select().from(authSources).where(isOwnSource(accountId, id))

export const insertSource = (db: Db, row: typeof authSources.$inferInsert) => db.insert(authSources).values(row)

/** Refuses the batch beyond the most that an account may have. */
export const guardQuota = (db: Db, accountId: number) =>
  guard(
    db,
    sql`(select count(*) from auth_sources where account_id = ${accountId}) < ${AUTH_SOURCE.max}`,
    violation('AUTH_SOURCE_LIMIT_REACHED', { limit: AUTH_SOURCE.max }),
  )

/** Refuses the batch unless the source is still the one that was read. */
export const guardUnchanged = (db: Db, { accountId, id, updatedAt, status }: StoredSource) =>
  guard(
    db,
    sql`exists (select 1 from auth_sources where account_id = ${accountId} and id = ${id}
      and updated_at = ${updatedAt} and status = ${status})`,
    violation('AUTH_SOURCE_CHANGED'),
  )

type Changes = Partial<Omit<typeof authSources.$inferInsert, 'id' | 'accountId' | 'type' | 'createdAt' | 'updatedAt'>>

/** `updated_at` grows with every change, also with two in one millisecond. */
export const updateSource = (db: Db, accountId: number, id: number, changes: Changes, now: number) =>
  db
    .update(authSources)
    .set({ ...changes, updatedAt: sql`max(${authSources.updatedAt} + 1, ${now})` as SQL<number> as never })
    .where(isOwnSource(accountId, id))

export const deleteSource = (db: Db, accountId: number, id: number) =>
  db.delete(authSources).where(and(isOwnSource(accountId, id)))
