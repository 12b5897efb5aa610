import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { attempts } from '#db/schema/accounts.ts'

/** One holder at a time of what the key names. A lease that was never released ends by itself. */
export interface Lease {
  readonly key: string
  readonly endsAt: number
}

/** Answers a row to the one who holds it from now on, and none while somebody else does. */
export const acquireLease = (db: Db, { key, endsAt }: Lease, now: number) =>
  db.all<[number]>(sql`
    insert into attempts (key, count, window_end) values (${key}, 1, ${endsAt})
    on conflict (key) do update set window_end = excluded.window_end where window_end <= ${now}
    returning window_end`)

/** Only one's own: another may hold it by now. */
export const releaseLease = (db: Db, { key, endsAt }: Lease) =>
  db.delete(attempts).where(and(eq(attempts.key, key), eq(attempts.windowEnd, endsAt)))
