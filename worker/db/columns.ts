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

const DIGITS = Array.from({ length: 10 }, (_, digit) => sql.raw(`'${digit}'`))

/** Sort expressions of a name with its first number by value, so that 门店2 (shop 2) comes before 门店10. */
export function nameOrder(name: SQL): readonly SQL[] {
  const places = DIGITS.map((digit) => sql`instr(${name} || ${digit}, ${digit})`)
  const first = sql`min(${sql.join(places, sql`, `)})`
  return [
    sql`substr(${name}, 1, ${first} - 1) collate nocase`,
    sql`cast(substr(${name}, ${first}) as integer)`,
    sql`${name} collate nocase`,
  ]
}

/** SQL that maps a text to its number in `table`. */
export const lookUp = (table: Readonly<Record<string, number>>, text: SQL): SQL =>
  sql`json_extract(${JSON.stringify(table)}, '$.' || ${text})`

/** Account of rows that another condition names. The unary plus keeps SQLite from using the index of the account. */
export const isOwn = (accountId: Column | SQL, owner: number): SQL => sql`+${accountId} = ${owner}`
