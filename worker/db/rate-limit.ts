import { type SQL, eq, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { PERSON_WRITE_BUDGET, WRITE_BUDGET } from '#contract/kernel/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from './client.ts'
import type { Statement } from './driver.ts'
import { encodeFullWindow, encodeRefusal } from './guard.ts'
import { attempts } from './schema/accounts.ts'

/* Rate limits in the database: attempts and uses counted by key in fixed windows. */

/** SQL of one attempt in a fixed window. The window starts with its first attempt. */
const upsertAttempt = (key: string | SQL, windowMs: number, now: number, when: SQL): SQL => sql`
  insert into attempts (key, count, window_end) select ${key}, 1, ${now + windowMs} where ${when}
  on conflict (key) do update set
    count = case when window_end <= ${now} then 1 else count + 1 end,
    window_end = case when window_end <= ${now} then excluded.window_end else window_end end`

/**
 * Counts one attempt under `key` in a fixed window and returns [count, end of the window]. If `when` does not hold, nothing
 * counts and no row comes back.
 */
export const recordAttempt = (db: Db, key: string | SQL, windowMs: number, now: number, when: SQL = sql`true`) =>
  db.all<[number, number]>(sql`${upsertAttempt(key, windowMs, now, when)} returning count, window_end`)

/** At most `limit` uses in a fixed window. */
export interface Rate {
  readonly limit: number
  readonly windowMs: number
}

/** Counts one use under `key`. Beyond the rate it aborts its batch with the end of the window, and nothing counts. */
const countUse = (key: string, { limit, windowMs }: Rate, now: number, when: SQL = sql`true`): SQL => sql`
  ${upsertAttempt(key, windowMs, now, when)} returning
    json_extract('{}', case when count <= ${limit} then '$' else ${encodeFullWindow(now)} || window_end || '!' end)`

/** Rate limit of the batch that contains it. Put the account into the key, so that no other tenant uses the rate. */
export const guardRate = (db: Db, key: string, rate: Rate, now: number, when?: SQL) =>
  db.all(countUse(key, rate, now, when))

/** Takes back one use, of a call that turned out to need none. */
export const giveBackUse = (db: Db, key: string) =>
  db
    .update(attempts)
    .set({ count: sql`max(${attempts.count} - 1, 0)` })
    .where(eq(attempts.key, key))

/** Key of a router's rate. The two calls that push its configuration share one. */
export const routerRateKey = (
  call: 'resend' | 'status' | 'switch' | 'kill' | 'respawn',
  accountId: number,
  name: string,
): string => `router_${call}:${accountId}:${name.toLowerCase()}`

/** Keys whose window is full, with the end of the window: a call about many objects leaves these objects out. */
export const selectFullWindows = (db: Db, keys: readonly string[], { limit }: Rate, now: number) =>
  db
    .select({ key: attempts.key, windowEnd: attempts.windowEnd })
    .from(attempts)
    .where(
      sql`${attempts.key} in (select value from json_each(${JSON.stringify(keys)}))
        and ${attempts.count} >= ${limit} and ${attempts.windowEnd} > ${now}`,
    )

export const recordUses = (db: Db, keys: readonly string[], { windowMs }: Rate, now: number) =>
  db.run(sql`
    insert into attempts (key, count, window_end) select value, 1, ${now + windowMs} from json_each(${JSON.stringify(keys)}) where true
    on conflict (key) do update set
      count = case when window_end <= ${now} then 1 else count + 1 end,
      window_end = case when window_end <= ${now} then excluded.window_end else window_end end`)

const dialect = new SQLiteSyncDialect()

/**
 * Write budgets of a session, and of its person over all sessions. They go in front of the first batch.
 *
 * @param person null if no person is counted, as for a session of the client application.
 */
export const writeBudgetStatements = (sessionId: string, person: string | null, now: number): Statement[] => [
  toStatement(countUse(`writes:${sessionId}`, WRITE_BUDGET, now)),
  ...(person === null ? [] : [toStatement(countUse(`writes:person:${person}`, PERSON_WRITE_BUDGET, now))]),
]

function toStatement(query: SQL): Statement {
  const { sql: text, params } = dialect.sqlToQuery(query)
  return { sql: text, params, isRepeatable: true }
}

/** Attempts of the current window. */
export const selectAttempts = (db: Db, key: string, now: number) =>
  db
    .select({ count: attempts.count, windowEnd: attempts.windowEnd })
    .from(attempts)
    .where(sql`${attempts.key} = ${key} and ${attempts.windowEnd} > ${now}`)

export const attemptCount = (key: string | SQL, now: number): SQL =>
  sql`coalesce((select count from attempts where key = ${key} and window_end > ${now}), 0)`

/** Condition of `recordAttempt`: fewer than `limit` in this window. */
export const isBelow = (key: string, limit: number, now: number): SQL => sql`${attemptCount(key, now)} < ${limit}`

/** Condition of a guard behind `recordAttempt`: no more than `limit` in this window. */
export const isWithinLimit = (key: string | SQL, limit: number): SQL =>
  sql`(select count from attempts where key = ${key}) <= ${limit}`

export const deleteAttempts = (db: Db, key: string | SQL) => db.delete(attempts).where(sql`${attempts.key} = ${key}`)

/** Deletes the counters of these keys, and of all that begin with one of them and a colon. `keys` selects texts. */
export const deleteAttemptsUnder = (db: Db, keys: SQL) =>
  db.run(sql`
    delete from attempts where key in (
      with named(text) as (${keys})
      select a.key from named join attempts a on a.key = text
      union all select a.key from named join attempts a on a.key > text || ':' and a.key < text || ';')`)

/** Removes one attempt after a success. */
export const undoAttempt = (db: Db, key: string | SQL) =>
  db
    .update(attempts)
    .set({ count: sql`max(0, ${attempts.count} - 1)` })
    .where(sql`${attempts.key} = ${key}`)

/** First statement of a call, as `sessionStatement`. Refuses while `limit` attempts count under the key. */
export function pauseStatement(key: string, limit: number, windowMs: number, now: number): Statement {
  const isOpen = 'not exists (select 1 from attempts where key = ? and count >= ? and window_end > ?)'
  return {
    sql: `select json_extract('{}', case when ${isOpen} then '$' else ? end)`,
    params: [key, limit, now, encodeRefusal(violation('TOO_OFTEN', { retry_after: Math.ceil(windowMs / 1000) }))],
  }
}
