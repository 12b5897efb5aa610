import { applyD1Migrations, env } from 'cloudflare:test'

/** What the migrations have made of an empty database: statements that make it again. */
let schema: readonly string[] | undefined

/** Tables, indexes and triggers of all migrations. The first file of a runtime runs them; the others copy the result, six times as fast. */
export async function createSchema(database: D1Database): Promise<void> {
  if (schema !== undefined) {
    await database.batch(schema.map((statement) => database.prepare(statement)))
    return
  }
  await applyD1Migrations(database, env.MIGRATIONS)
  const { results } = await database
    .prepare(
      "select sql from sqlite_schema where sql is not null and name not glob 'sqlite_*' and name not glob '_cf_*' order by rowid",
    )
    .all<{ sql: string }>()
  schema = results.map(({ sql }) => sql)
}
