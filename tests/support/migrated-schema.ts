import { applyD1Migrations, env } from 'cloudflare:test'

/** Statements that recreate the schema of a fully migrated, empty database. */
let schema: readonly string[] | undefined

/**
 * Tables, indexes and triggers of all migrations. The first file of a runtime runs them; the others copy the result, six times
 * as fast. A database that still has its tables keeps them, and its rows: `reset` leaves some, in a few files of a run.
 */
export async function createSchema(database: D1Database): Promise<void> {
  const select = database.prepare(
    "select sql from sqlite_schema where sql is not null and name not glob 'sqlite_*' and name not glob '_cf_*' order by rowid",
  )
  if (schema === undefined) {
    await applyD1Migrations(database, env.MIGRATIONS)
    schema = (await select.all<{ sql: string }>()).results.map(({ sql }) => sql)
  } else if ((await select.all()).results.length === 0) {
    await database.batch(schema.map((statement) => database.prepare(statement)))
  }
}
