import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { files } from '#db/schema/files.ts'

/* Statements on the rows of customers' files: insert, attachment, deletion. */

export const insertFile = (db: Db, row: typeof files.$inferInsert) => db.insert(files).values(row)

/** File by its key alone; the signature of the address names the account. */
export const selectFile = (db: Db, key: string) =>
  db.select({ accountId: files.accountId, name: files.name, type: files.type }).from(files).where(eq(files.key, key))

const isUnattached = (accountId: number, purpose: string, keys: readonly string[]) =>
  and(eq(files.accountId, accountId), eq(files.purpose, purpose), isNull(files.attachedTo), isOneOf(files.key, keys))

/** Attaches files and answers their keys. Files that are deleted, attached already or of another account are missing. */
export const attachFiles = (db: Db, accountId: number, purpose: string, keys: readonly string[], attachedTo: string) =>
  db
    .update(files)
    .set({ attachedTo })
    .where(isUnattached(accountId, purpose, keys))
    .returning({ key: files.key })

type OwnFiles = Pick<typeof files.$inferSelect, 'accountId' | 'person' | 'purpose'> & {
  readonly keys: readonly string[]
}

/** Attaches a person's uploads. A file that is unknown, another person's or in use aborts the batch. */
export function useFiles(db: Db, { accountId, person, purpose, keys }: OwnFiles, attachedTo: string) {
  if (keys.length === 0) return {}
  const isFree = and(isUnattached(accountId, purpose, keys), eq(files.person, person))
  return {
    filesFree: guard(db, sql`(select count(*) from files where ${isFree}) = ${keys.length}`, violation('FILE_UNKNOWN')),
    files: db.update(files).set({ attachedTo }).where(isFree),
  }
}

export const selectAttached = (db: Db, accountId: number, attachedTo: string) =>
  db
    .select({ key: files.key, name: files.name })
    .from(files)
    .where(and(eq(files.accountId, accountId), eq(files.attachedTo, attachedTo)))

/** Deletes rows of all accounts that are still unattached and older than `before`; answers their keys. */
export const deleteUnattachedFiles = (db: Db, before: number, limit: number) => {
  const isOld = and(isNull(files.attachedTo), lt(files.createdAt, before))
  const oldest = db.select({ id: files.id }).from(files).where(isOld).limit(limit)
  return db.delete(files).where(inArray(files.id, oldest)).returning({ key: files.key })
}

export const selectKnownKeys = (db: Db, keys: readonly string[]) =>
  db.select({ key: files.key }).from(files).where(isOneOf(files.key, keys))
