import { env } from 'cloudflare:test'
import { vi } from 'vitest'
import { createSchema } from './migrated-schema.ts'

/* A copy of D1 that is behind the primary, as one near a caller far away. Miniflare has one database alone. */

const LAG_MS = 5_000
const POLL_MS = 50

interface Run {
  readonly sql: string
  readonly params: readonly unknown[]
}

interface Write {
  readonly at: number
  readonly number: number
  readonly runs: readonly Run[]
}

const toBookmark = (write: number): string =>
  `${write.toString(16).padStart(8, '0')}-00000000-00000000-${'0'.repeat(32)}`

/** Reads of the copy, and trips to the primary: those of hubs by `batch`, those of callers by a session. */
interface Trips {
  copy: number
  primary: number
}

export interface LaggingCopy {
  readonly trips: Trips
  /** Bookmark of the primary, and the one that the copy has reached. */
  newest(): string
  reached(): string
  /** Rows of the copy. */
  select<T>(sql: string, ...params: unknown[]): Promise<T[]>
  /** Lets the copy have all writes so far, whatever their age. */
  catchUp(): Promise<void>
  /** Error that each further read of the copy ends with; null: none. */
  breakCopy(error: Error | null): void
}

/**
 * Puts a copy behind the binding DB of the Worker and its hubs, until the spies of the test are restored. It gets each
 * write five seconds later. A session that begins with a bookmark reads the copy, once that has reached the bookmark.
 */
export async function installLaggingCopy(): Promise<LaggingCopy> {
  const primary = env.DB
  const [batch, prepare] = [primary.batch.bind(primary), primary.prepare.bind(primary)]
  const runs = new WeakMap<object, Run>()
  const writes: Write[] = []
  const trips: Trips = { copy: 0, primary: 0 }
  let [written, reached] = [0, 0]
  let broken: Error | null = null
  let applying = copyRows(primary)

  const bindable = (sql: string) => {
    const prepared = prepare(sql)
    const bind = (...params: unknown[]) => {
      const bound = prepared.bind(...params)
      runs.set(bound, { sql, params })
      return bound
    }
    return { bind } as D1PreparedStatement
  }
  const runOnPrimary = async (statements: D1PreparedStatement[]) => {
    trips.primary += 1
    const results = await batch(statements)
    const asked = statements.flatMap((statement) => runs.get(statement) ?? [])
    if (asked.some(({ sql }) => !/^\s*select\b/i.test(sql)))
      writes.push({ at: Date.now(), number: ++written, runs: asked })
    return results as never
  }
  const apply = (until: number): Promise<void> => {
    applying = applying.then(async () => {
      for (let [next] = writes; next && next.at <= until; [next] = writes) {
        writes.shift()
        await env.COPY.batch(next.runs.map(({ sql, params }) => env.COPY.prepare(sql).bind(...params)))
        reached = next.number
      }
    })
    return applying
  }
  const readCopy = async (statements: readonly D1PreparedStatement[], since: string) => {
    for (await apply(Date.now() - LAG_MS); toBookmark(reached) < since; await apply(Date.now() - LAG_MS))
      await scheduler.wait(POLL_MS)
    if (broken) throw broken
    trips.copy += 1
    const asked = statements.map((statement) => runs.get(statement)!)
    return env.COPY.batch(asked.map(({ sql, params }) => env.COPY.prepare(sql).bind(...params)))
  }
  const openSession = (since: string | null | undefined) => {
    let bookmark: string | null = null
    const run = async (statements: D1PreparedStatement[]) => {
      const isNear = since !== undefined && since !== null && since !== 'first-primary'
      const results = isNear ? await readCopy(statements, since) : await runOnPrimary(statements)
      const at = toBookmark(isNear ? reached : written)
      bookmark = isNear && at < since ? since : at
      return results as never
    }
    return { prepare: bindable, batch: run, getBookmark: () => bookmark } as D1DatabaseSession
  }

  await applying
  vi.spyOn(primary, 'prepare').mockImplementation(bindable)
  vi.spyOn(primary, 'batch').mockImplementation(runOnPrimary)
  vi.spyOn(primary, 'withSession').mockImplementation(openSession)
  return {
    trips,
    newest: () => toBookmark(written),
    reached: () => toBookmark(reached),
    select: async <T>(sql: string, ...params: unknown[]) =>
      (
        await env.COPY.prepare(sql)
          .bind(...params)
          .all<T>()
      ).results,
    catchUp: () => apply(Date.now()),
    breakCopy: (error) => void (broken = error),
  }
}

/** Gives the copy the tables and rows that the primary has now. */
async function copyRows(primary: D1Database): Promise<void> {
  await createSchema(env.COPY)
  const { results: tables } = await primary
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' and name not glob '_cf_*' and name not glob 'd1_*'",
    )
    .all<{ name: string }>()
  const statements = [env.COPY.prepare('pragma defer_foreign_keys = on')]
  for (const { name } of tables) {
    statements.push(env.COPY.prepare(`delete from "${name}"`))
    for (const row of (await primary.prepare(`select * from "${name}"`).all()).results) {
      const columns = Object.keys(row)
      const places = columns.map(() => '?').join(', ')
      const insert = `insert into "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) values (${places})`
      statements.push(env.COPY.prepare(insert).bind(...Object.values(row)))
    }
  }
  await env.COPY.batch(statements)
}
