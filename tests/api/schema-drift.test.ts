import { env } from 'cloudflare:test'
import { is } from 'drizzle-orm'
import { SQLiteTable, getTableConfig } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { schema } from '#db/client.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const tables = Object.values(schema)
  .filter((table) => is(table, SQLiteTable))
  .map((table) => getTableConfig(table))

describe('design 5 · db/schema mirrors the migrations', () => {
  it('each table has the columns of its migrations', async () => {
    const rows = tables.map(({ name, columns }) => [name, columns] as const)
    const offenders = await findOffenders(rows)(async (name, columns) => {
      const { results } = await env.DB.prepare('SELECT name, type, "notnull", pk, dflt_value FROM pragma_table_info(?)')
        .bind(name)
        .all()
      const mirror = columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        required: column.notNull || column.primary,
        key: column.primary,
        hasDefault: column.default !== undefined,
      }))
      const truth = results.map((row) => ({
        name: row['name'],
        type: row['type'],
        required: row['notnull'] === 1 || row['pk'] === 1,
        key: row['pk'] === 1,
        hasDefault: row['dflt_value'] !== null,
      }))
      expect(mirror).toEqual(truth)
    })
    expect(offenders).toEqual([])
  })
  it('no table is missing', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'd1\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    ).all()
    expect(tables.map((table) => table.name).toSorted()).toEqual(results.map((row) => row['name']).toSorted())
  })
  it('every table is STRICT', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name IN (SELECT value FROM json_each(?))",
    )
      .bind(JSON.stringify(tables.map((table) => table.name)))
      .all()
    expect(results).toEqual([])
  })
})
