import { type Column, type SQL, sql } from 'drizzle-orm'

/* Helpers for columns and conditions in SQL: names, lists of values, search in text. */

/** Renames a column: a join may select two columns of the same name. */
export function as<C extends Column>(
  column: C,
  name: string,
): SQL.Aliased<C['_']['notNull'] extends true ? C['_']['data'] : C['_']['data'] | null> {
  return sql<C['_']['notNull'] extends true ? C['_']['data'] : C['_']['data'] | null>`${column}`.as(name)
}

/** `column IN (values)` with one bound value for all of them: D1 allows 100 bound values in a statement. */
export const isOneOf = (column: Column | SQL, values: readonly (string | number)[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`

/** The same values as a subquery. */
export const idList = (ids: readonly number[]): SQL => sql`select value from json_each(${JSON.stringify(ids)})`

/** Case-insensitive "contains". D1 limits LIKE patterns to 50 bytes, so it is not used. */
export const contains = (column: Column | SQL, text: string): SQL => sql`instr(lower(${column}), lower(${text})) > 0`

const PLACES = Array.from({ length: 10 }, (_, digit) => `ifnull(nullif(instr(t, '${digit}'), 0), 999)`)
const FIRST_DIGIT = sql.raw(`min(${PLACES.join(', ')})`)

/**
 * Sort key of a name: its first number by value, so that 门店2 (shop 2) comes before 门店10. The number is padded, and the
 * name follows; `limit` keeps SQLite from looking for the first digit three times.
 */
export const nameKey = (name: SQL): SQL => sql`case when ${name} glob '*[0-9]*' then (
    select substr(t, 1, f - 1) || printf('%019d', cast(substr(t, f) as integer)) || t
    from (select t, ${FIRST_DIGIT} as f from (select ${name} as t limit 1) limit 1))
  else ${name} end collate nocase`

/** SQL that maps a text to its number in `table`. */
export const lookUp = (table: Readonly<Record<string, number>>, text: SQL): SQL =>
  sql`json_extract(${JSON.stringify(table)}, '$.' || ${text})`

/** Account of rows that another condition names. The unary plus keeps SQLite from using the index of the account. */
export const isOwn = (accountId: Column | SQL, owner: number): SQL => sql`+${accountId} = ${owner}`
