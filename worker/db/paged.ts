import { sql } from 'drizzle-orm'
import type { SQLiteSelect } from 'drizzle-orm/sqlite-core'
import { PAGE_SIZE } from '../contract/limits.ts'
import type { Db } from './client.ts'

/** One page of a query and the number of all its rows, in one round trip. Give the query with `$dynamic()`. */
export async function paged<Q extends SQLiteSelect>(
  db: Db,
  query: Q,
  { page, limit = PAGE_SIZE }: { readonly page: number; readonly limit?: number },
): Promise<{ data: Q['_']['result']; count: number }> {
  const all = query.getSQL() // before `limit`, which changes the query itself
  const [data, [total]] = await db.batch([
    query.limit(limit).offset((page - 1) * limit),
    db.all<[number]>(sql`select count(*) from (${all})`),
  ])
  return { data, count: total?.[0] ?? 0 }
}
