import { fillPlaceholders } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Statements } from './batch.ts'
import type { Db } from './client.ts'

/** Interface of statements that `batch` of the query builder calls; its public types omit it. */
interface Preparable {
  _prepare(): Prepared
}
interface Prepared {
  getQuery(): { readonly sql: string; readonly params: unknown[] }
  mapResult(response: unknown, isFromBatch?: boolean): unknown
}

/** By the names of placeholders; one that is missing throws. */
type Values = Readonly<Record<string, unknown>>

/** Builds statements, and runs none. */
const builder: Db = drizzle(async () => ({ rows: [] }))

/**
 * Statements for `batch` whose SQL is written once in an isolate: for joins that hubs read at each edit, the query builder
 * takes longer than the database. `build` names its values by `sql.placeholder`.
 */
export function prepareStatements<const S extends Statements>(build: (db: Db) => S): (values: Values) => S {
  let prepared: readonly (readonly [string, Prepared])[] | undefined
  return (values) => {
    prepared ??= Object.entries(build(builder)).map(([name, s]) => [name, (s as unknown as Preparable)._prepare()])
    return Object.fromEntries(prepared.map(([name, statement]) => [name, withValues(statement, values)])) as S
  }
}

/** The statement itself is shared by all its runs. */
function withValues(statement: Prepared, values: Values): BatchItem<'sqlite'> {
  const { sql, params } = statement.getQuery()
  const filled: Preparable = {
    _prepare: () => ({
      getQuery: () => ({ sql, params: fillPlaceholders(params, values) }),
      mapResult: (response, isFromBatch) => statement.mapResult(response, isFromBatch),
    }),
  }
  return filled as unknown as BatchItem<'sqlite'>
}
