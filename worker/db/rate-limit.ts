import { type SQL, sql } from 'drizzle-orm'
import { violation } from '../contract/errors.ts'
import type { Db } from './client.ts'
import type { Statement } from './driver.ts'
import { encodeRefusal } from './guard.ts'
import { attempts } from './schema/accounts.ts'

/**
 * Counts one attempt under `key` in a fixed window and returns [count, end of the window]. The window starts with its
 * first attempt. With `when`, an attempt counts only where that holds; otherwise no row comes back.
 */
export const recordAttempt = (db: Db, key: string | SQL, windowMs: number, now: number, when: SQL = sql`true`) =>
  db.all<[number, number]>(sql`
    insert into attempts (key, count, window_end) select ${key}, 1, ${now + windowMs} where ${when}
    on conflict (key) do update set
      count = case when window_end <= ${now} then 1 else count + 1 end,
      window_end = case when window_end <= ${now} then excluded.window_end else window_end end
    returning count, window_end`)

/** Attempts of the window that runs now. */
export const selectAttempts = (db: Db, key: string, now: number) =>
  db
    .select({ count: attempts.count, windowEnd: attempts.windowEnd })
    .from(attempts)
    .where(sql`${attempts.key} = ${key} and ${attempts.windowEnd} > ${now}`)

/** Attempts of the window that runs now, as an expression. */
export const countOf = (key: string | SQL, now: number): SQL =>
  sql`coalesce((select count from attempts where key = ${key} and window_end > ${now}), 0)`

/** Condition of a guard behind `recordAttempt`: no more than `limit` in this window. */
export const isWithinLimit = (key: string | SQL, limit: number): SQL =>
  sql`(select count from attempts where key = ${key}) <= ${limit}`

export const deleteAttempts = (db: Db, key: string | SQL) => db.delete(attempts).where(sql`${attempts.key} = ${key}`)

/** Removes one attempt after a success. */
export const undoAttempt = (db: Db, key: string | SQL) =>
  db
    .update(attempts)
    .set({ count: sql`max(0, ${attempts.count} - 1)` })
    .where(sql`${attempts.key} = ${key}`)

/** Ahead of a call's first round trip, as `sessionStatement`: refuses it while so many attempts stand under the key. */
export function pauseStatement(key: string, limit: number, windowMs: number, now: number): Statement {
  const isOpen = 'not exists (select 1 from attempts where key = ? and count >= ? and window_end > ?)'
  return {
    sql: `select json_extract('{}', case when ${isOpen} then '$' else ? end)`,
    params: [key, limit, now, encodeRefusal(violation('TOO_OFTEN', { retry_after: Math.ceil(windowMs / 1000) }))],
  }
}
