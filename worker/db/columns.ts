import { type Column, type SQL, sql } from 'drizzle-orm'

/** A column under a name of its own: needed where a join selects two columns that are called the same. */
export function as<C extends Column>(
  column: C,
  name: string,
): SQL.Aliased<C['_']['notNull'] extends true ? C['_']['data'] : C['_']['data'] | null> {
  return sql<C['_']['notNull'] extends true ? C['_']['data'] : C['_']['data'] | null>`${column}`.as(name)
}

/** `column IN (values)` with one bound value however many there are (D1 allows 100 in a statement). */
export const isOneOf = (column: Column, values: readonly (string | number)[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`

/** The same values as a subquery. */
export const idList = (ids: readonly number[]): SQL => sql`select value from json_each(${JSON.stringify(ids)})`

/** Case-insensitive "contains". D1 limits LIKE patterns to 50 bytes, so it is not used. */
export const contains = (column: Column | SQL, text: string): SQL => sql`instr(lower(${column}), lower(${text})) > 0`

/** The number that a table of ours gives for a text, as SQL. */
export const lookUp = (table: Readonly<Record<string, number>>, text: SQL): SQL =>
  sql`json_extract(${JSON.stringify(table)}, '$.' || ${text})`

/** The account's own among rows that are named besides: the unary plus keeps SQLite from reading all that the account has. */
export const isOwn = (accountId: Column | SQL, owner: number): SQL => sql`+${accountId} = ${owner}`
