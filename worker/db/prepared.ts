import { fillPlaceholders } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Statements } from './batch.ts'
import type { Db } from './client.ts'

/* Prepared statements: their SQL is built once in an isolate and runs with other values. */

/** Internal interface of statements, which `batch` of the query builder calls; the public types omit it. */
interface Preparable {
  _prepare(): Prepared
}
interface Prepared {
  getQuery(): { readonly sql: string; readonly params: unknown[] }
  mapResult(response: unknown, isFromBatch?: boolean): unknown
}

/** Values by the names of placeholders; a missing one throws. */
type Values = Readonly<Record<string, unknown>>

/** Query builder that never runs a statement. */
const builder: Db = drizzle(async () => ({ rows: [] }))

/**
 * Prepares statements for `batch`. It serves the joins that hubs read at each edit, where the query builder takes longer
 * than the database. `build` names its values by `sql.placeholder`.
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
