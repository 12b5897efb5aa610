import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const BUSY_MS = 5_000

type Row = Record<string, unknown>
export type Select = (sql: string, ...values: (string | number)[]) => Row[]

/** Reads the database of a stack on disk in one transaction, beside the process that runs on it. */
export function readDatabase<T>(data: string, read: (all: Select) => T): T {
  const [file = ''] = globSync(join(data, 'state/d1/*/*.sqlite')).filter((name) => !name.endsWith('metadata.sqlite'))
  return readSqlite(file, read)
}

/** Reads one SQLite file in one transaction. */
export function readSqlite<T>(file: string, read: (all: Select) => T): T {
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS })
  try {
    db.exec('begin')
    return read((sql, ...values) => db.prepare(sql).all(...values) as Row[])
  } finally {
    db.close()
  }
}
