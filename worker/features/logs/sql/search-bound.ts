import { type Column, type SQL, and, between, sql } from 'drizzle-orm'
import { LOG_SEARCH } from '#contract/logs/limits.ts'
import type { Db } from '#db/client.ts'

interface Times {
  readonly from: number
  readonly to: number
}

/** The log that a search looks through: its rows by an index of `at`. */
interface Searched {
  readonly at: Column
  /** Condition on rows of the account. */
  readonly own: SQL | undefined
}

/** The time of the newest row of the range that a search no longer looks at; null where it looks at all. */
export const searchFloor = ({ at, own }: Searched, { from, to }: Times): SQL =>
  sql`(select ${at} from ${at.table} where ${and(own, between(at, from, to))}
    order by ${at} desc limit 1 offset ${LOG_SEARCH.rowsMax})`

/** Within the range; with `isSearch` within the newest rows of it, so that texts of a bounded number of rows are compared. */
export const isWithin = (searched: Searched, range: Times, isSearch: boolean): SQL => {
  const { from, to } = range
  if (!isSearch) return between(searched.at, from, to)
  return sql`${searched.at} between coalesce(${searchFloor(searched, range)} + 1, ${from}) and ${to}`
}

/** Floor of a search, where it stopped, as `toSearchedFrom` takes it. */
export const selectFloor = (db: Db, floor: SQL, isSearch: boolean) =>
  db.all<[number | null]>(isSearch ? sql`select ${floor}` : sql`select null`)

/** The time since which all rows were looked at; null: the whole range. */
export const toSearchedFrom = ([row]: readonly (readonly [number | null])[]): {
  readonly searched_from: number | null
} => {
  const [floor = null] = row ?? []
  return { searched_from: floor === null ? null : floor + 1 }
}
