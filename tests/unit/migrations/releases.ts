import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listFiles } from '#tests/support/source-files.ts'
import { ROWS } from './rows.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** The files of migrations/, in the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = listFiles('migrations', /\.sql$/)
  .toSorted()
  .map((file) => ({ name: basename(file), sql: readFileSync(file, 'utf8') }))

/** A database as D1 keeps it: foreign keys are enforced, each file is one transaction. */
export function databaseAt(migrations: readonly Migration[]): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA foreign_keys = ON')
  for (const migration of migrations) apply(database, migration)
  return database
}

function apply(database: DatabaseSync, { sql }: Migration): void {
  database.exec('BEGIN')
  database.exec(sql)
  database.exec('COMMIT')
}

export const listTables = (database: DatabaseSync): string[] =>
  database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .all()
    .map(({ name }) => String(name))

/** Puts a row into every table; throws where ROWS has none for it. */
export function fill(database: DatabaseSync): void {
  const missing = new Set(listTables(database))
  for (const [table, row] of Object.entries(ROWS)) {
    if (!missing.delete(table)) continue // a table of a later release
    const columns = Object.keys(row)
    const marks = columns.map(() => '?').join(', ')
    database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`).run(...Object.values(row))
  }
  if (missing.size > 0) throw new Error(`no row for ${[...missing].join(', ')}: add it to rows.ts`)
}

/** Tables that hold fewer rows after a migration than before: 'network_members: 1 → 0'. */
export function lostRows(database: DatabaseSync, migration: Migration): string[] {
  const count = (table: string) =>
    listTables(database).includes(table)
      ? Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
      : 0
  const before = listTables(database).map((table) => [table, count(table)] as const)
  apply(database, migration)
  return before
    .map(([table, rows]) => ({ table, rows, left: count(table) }))
    .filter(({ rows, left }) => left < rows)
    .map(({ table, rows, left }) => `${table}: ${rows} → ${left}`)
}
