import { and, eq, lte, ne, or, sql } from 'drizzle-orm'
import { CLIENT } from '#contract/client/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { oldSigns } from '#db/schema/clients.ts'

/** No other account had this suffix within the time in which its members still sign in by it. */
export const guardSignUnclaimed = (db: Db, accountId: number, sign: string, now: number) =>
  guard(
    db,
    sql`not exists (select 1 from old_signs where sign = ${sign} and account_id <> ${accountId} and expires_at > ${now})`,
    violation('SIGN_TAKEN'),
  )

interface SignChange {
  readonly accountId: number
  readonly before: string | null
  readonly sign: string
  readonly now: number
}

/** Keeps the suffix before; of an account that changes it again and again only the latest. */
export function keepOldSign(db: Db, { accountId, before, sign, now }: SignChange) {
  const expiresAt = now + CLIENT.oldSignDays * 86_400_000
  return {
    // The new one is present now; what another account kept for too long is free.
    reused: db
      .delete(oldSigns)
      .where(
        or(
          and(eq(oldSigns.accountId, accountId), eq(oldSigns.sign, sign)),
          and(ne(oldSigns.accountId, accountId), eq(oldSigns.sign, before ?? ''), lte(oldSigns.expiresAt, now)),
        ),
      ),
    old:
      before !== null &&
      db
        .insert(oldSigns)
        .values({ accountId, sign: before, expiresAt })
        .onConflictDoUpdate({ target: oldSigns.sign, set: { expiresAt } }),
    oldest: db.delete(oldSigns).where(
      and(
        eq(oldSigns.accountId, accountId),
        sql`${oldSigns.id} not in (select id from old_signs where account_id = ${accountId}
            order by expires_at desc, id desc limit ${CLIENT.oldSignsMax})`,
      ),
    ),
  }
}
