import { and, eq, sql } from 'drizzle-orm'
import { violation } from '../../contract/errors.ts'
import type { Db } from '../../db/client.ts'
import { guard } from '../../db/guard.ts'
import { ramAccounts, tokenLinks } from '../../db/schema/accounts.ts'

export const updateRamLogin = (db: Db, accountId: number, ramId: number, now: number) =>
  db
    .update(ramAccounts)
    .set({ loginAt: now })
    .where(and(eq(ramAccounts.accountId, accountId), eq(ramAccounts.id, ramId)))

export const selectTokenLink = (db: Db, tokenHash: string) =>
  db.select().from(tokenLinks).where(eq(tokenLinks.tokenHash, tokenHash))

/** Refuses the batch where a parallel call has used the link. Stands in front of `consumeTokenLink`. */
export const guardTokenLinkUnused = (db: Db, tokenHash: string) =>
  guard(
    db,
    sql`exists (select 1 from token_links where token_hash = ${tokenHash} and used_at is null)`,
    violation('LINK_BAD'),
  )

export const consumeTokenLink = (db: Db, tokenHash: string, now: number) =>
  db.update(tokenLinks).set({ usedAt: now }).where(eq(tokenLinks.tokenHash, tokenHash))
