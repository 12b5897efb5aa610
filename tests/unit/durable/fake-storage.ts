import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** Fake of DurableObjectStorage on SQLite in memory; records each written row. */
export class FakeStorage {
  readonly writes: string[] = []
  private readonly db = new DatabaseSync(':memory:')
  private readonly keys = new Map<string, unknown>()

  readonly sql = {
    exec: (query: string, ...values: SQLInputValue[]) => {
      const statement = this.db.prepare(query)
      if (/^(INSERT|UPDATE|DELETE)/.test(query)) {
        const { changes } = statement.run(...values)
        this.writes.push(...Array.from({ length: Number(changes) }, () => query.slice(0, 6)))
        return []
      }
      const rows = statement.all(...values)
      return Object.assign(rows, { toArray: () => rows })
    },
  }

  readonly kv = {
    get: (key: string) => this.keys.get(key),
    put: (key: string, value: unknown) => {
      this.writes.push(`put ${key}`)
      this.keys.set(key, value)
    },
    delete: (key: string) => {
      this.writes.push(`delete ${key}`)
      return this.keys.delete(key)
    },
  }

  rows<T>(query: string): T[] {
    return this.db.prepare(query).all() as T[]
  }
}
