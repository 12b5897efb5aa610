import type { Client, InStatement, InValue } from '@libsql/client'
import { readFileSync, readdirSync } from 'node:fs'
import { unstable_splitSqlQuery as splitSql } from 'wrangler'
import { inRoot } from './paths.ts'

/* Applies missing migrations, each file in one transaction, and records them in wrangler's own table. */

/** Part of a database that migrations need; D1 of Miniflare has it, `libsqlDatabase` adapts libSQL. */
interface Database {
  prepare(sql: string): {
    bind(...values: unknown[]): unknown
    run(): Promise<unknown>
    all(): Promise<{ results: unknown[] }>
  }
  batch(statements: unknown[]): Promise<unknown>
}

export async function migrate(db: Database): Promise<string[]> {
  await db
    .prepare(
      'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    )
    .run()
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all()
  const applied = new Set((results as { name: string }[]).map(({ name }) => name))
  const missing = readdirSync(inRoot('migrations'))
    .filter((name) => name.endsWith('.sql') && !applied.has(name))
    .toSorted()
  for (const name of missing) {
    const statements = splitSql(readFileSync(inRoot('migrations', name), 'utf8'))
    await db.batch([
      ...statements.map((sql) => db.prepare(sql)),
      db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ])
  }
  return missing
}

/** Adapts libSQL to the part of D1's interface that migrations need; a batch is one transaction. */
export function libsqlDatabase(client: Client): Database {
  const prepare = (sql: string) => ({
    sql,
    args: [],
    bind: (...values: unknown[]) => ({ sql, args: values as InValue[] }),
    run: () => client.execute(sql),
    all: async () => ({ results: (await client.execute(sql)).rows }),
  })
  return {
    prepare,
    batch: (statements) => client.batch(statements as InStatement[], 'write'),
  }
}
