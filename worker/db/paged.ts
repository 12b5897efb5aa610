import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteSelect } from 'drizzle-orm/sqlite-core'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import { batch } from './batch.ts'
import type { Db } from './client.ts'

/* Pages of a query and the number of its rows, in one round trip. */

export interface Page {
  readonly page: number
  readonly limit: number
}

/**
 * Statements of one page and of the number of all rows, for a batch. The query needs `$dynamic()`. With `countMax` counting
 * stops at `countMax` + 1.
 */
export function selectPage<Q extends SQLiteSelect>(db: Db, query: Q, { page, limit }: Page, countMax?: number) {
  const all = query.getSQL() // before `limit`, which changes the query itself
  const counted = countMax === undefined ? all : sql`${all} limit ${countMax + 1}`
  return {
    data: query.limit(limit).offset((page - 1) * limit),
    total: db.all<[number]>(sql`select count(*) from (${counted})`),
  }
}

/** One page of a query and the number of all its rows, in one round trip. */
export async function paged<Q extends SQLiteSelect>(
  db: Db,
  query: Q,
  page: Page,
): Promise<{ data: Q['_']['result']; count: number }> {
  const { data, total } = await batch(db, selectPage(db, query, page))
  return { data, count: total[0]?.[0] ?? 0 }
}

/** Counts rows up to `max` + 1, and reads none beyond. @param rows `from … where …` */
export const selectCountUpTo = (db: Db, rows: SQL, max: number) =>
  db.all<[number]>(sql`select count(*) from (select 1 ${rows} limit ${max + 1})`)

/** Wire fields of a count that stopped at `COUNT_MAX` + 1. */
export function toCappedCount([row]: readonly (readonly [number])[]) {
  const [count] = row ?? [0]
  return { count: Math.min(count, COUNT_MAX), capped: toWireBoolean(count > COUNT_MAX) }
}
