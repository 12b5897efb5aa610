import type { Client, InStatement, InValue } from '@libsql/client'
import type { Database } from './migrate.ts'

/** libSQL with the part of D1's interface that migrations need; a batch is one transaction. */
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
