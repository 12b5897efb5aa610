import { type Column, type SQL, sql } from 'drizzle-orm'

/** Names of routers, or a subquery that selects them. */
export type RouterNames = readonly string[] | readonly [SQL]

export const namedBy = (column: SQL | Column, [first, ...others]: RouterNames): SQL =>
  typeof first === 'object'
    ? sql`${column} in ${first}`
    : sql`${column} in (select value from json_each(${JSON.stringify(first === undefined ? [] : [first, ...others])}))`
