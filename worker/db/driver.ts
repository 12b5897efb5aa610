import type { Client, InValue } from '@libsql/client/web'
import { toWriteBookmark } from '#contract/kernel/bookmark.ts'

/* Database drivers of D1 and libSQL, with retries after lost connections. */

export interface Statement {
  readonly sql: string
  readonly params: unknown[]
  /** True for a write that may run twice: after a lost connection it is tried again with the reads behind it. */
  readonly isRepeatable?: boolean
}

/** Rows in column order, one list per statement. */
export type Rows = unknown[][]

/** Runs statements in one round trip and one transaction: all of them, or none and an error. */
export type Driver = (statements: readonly Statement[]) => Promise<Rows[]>

export interface DriverOptions {
  /** libSQL only: the primary answers reads too, which then take its write lock. */
  readonly isPrimaryOnly?: boolean
  /** Bookmark of a read that a copy near the caller may answer; without one the primary answers. */
  readonly since?: string | undefined
  /** Gets the bookmark of each trip: of D1 how new its rows are, of libSQL the time of a write. */
  readonly onBookmark?: (bookmark: string) => void
}

export const d1Driver =
  (binding: D1Database, { since = 'first-primary', onBookmark }: DriverOptions = {}): Driver =>
  async (statements) => {
    for (const { sql } of statements) checkDistinctColumns(sql)
    // A session for each trip: a copy might answer the second one of a session.
    const session = onBookmark && binding.withSession(since)
    const at = session ?? binding
    const prepared = statements.map(({ sql, params }) => at.prepare(sql).bind(...params))
    const results = await retried(statements, () => at.batch<Record<string, unknown>>(prepared))
    const bookmark = session?.getBookmark()
    if (bookmark) onBookmark?.(bookmark)
    return results.map(({ results: rows }) => rows.map((row) => Object.values(row)))
  }

export const libsqlDriver =
  (client: Client, { isPrimaryOnly = false, onBookmark }: DriverOptions = {}): Driver =>
  async (statements) => {
    const prepared = statements.map(({ sql, params }) => ({ sql, args: params as InValue[] }))
    // A read-only transaction takes no write lock.
    const mode = isRead(statements) && !isPrimaryOnly ? 'read' : 'write'
    const results = await retried(statements, () => client.batch(prepared, mode))
    if (!isRead(statements)) onBookmark?.(toWriteBookmark(Date.now()))
    return results.map(({ rows, columns }) => rows.map((row) => columns.map((_, i) => row[i])))
  }

export const isRead = (statements: readonly Statement[]) => statements.every(({ sql }) => /^\s*select\s/i.test(sql))

/** Messages of lost connections and restarts, first of D1, then of libSQL. */
const LOST =
  /Network connection lost|code was updated|object to be reset|Cannot resolve D1|HTTP status 50[23]|STREAM_EXPIRED/
/** Timeouts are not retried: the database is overloaded already. */
const TIMEOUT = /exceeded timeout|timed out|TIMEOUT/
const READ_TRIES = 3

const isTransient = (error: unknown) => LOST.test(String(error)) && !TIMEOUT.test(String(error))

/** Retries reads and repeatable writes. After a lost connection any other write may have been committed. */
async function retried<T>(statements: readonly Statement[], run: () => Promise<T>): Promise<T> {
  const tries = isRead(statements.filter((statement) => !statement.isRepeatable)) ? READ_TRIES : 1
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= tries || !isTransient(error)) throw error
    }
  }
}

/** Messages of a database that cannot be reached, or is locked, full or overloaded: the statement itself is right. */
const AWAY =
  /SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN)|database is locked|overloaded|internal error|reset because|Failed to fetch|fetch failed|ECONNREFUSED|HTTP status 5\d\d/i

/** The database does not answer now. Callers may try again; nothing is wrong with the call. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

export const isAwayError = (error: unknown): boolean =>
  [AWAY, LOST, TIMEOUT].some((pattern) => pattern.test(String(error)))

/** True for an error with a `DatabaseAway` among its causes: the query builder wraps it. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof DatabaseAway || (error instanceof Error && error.cause !== undefined && isDatabaseAway(error.cause))

const OVERLOADED = /D1 DB is overloaded|too many requests queued|exceeded timeout/i

/** True for an error of a database or hub (`overloaded`) that takes no more calls now, also among the causes. */
export const isOverload = (error: unknown): boolean =>
  error instanceof Error &&
  (OVERLOADED.test(error.message) || ('overloaded' in error && error.overloaded === true) || isOverload(error.cause))

const checked = new Set<string>()

/** Refuses two columns of one name: D1 answers a batch as objects, in which they would become one. */
function checkDistinctColumns(sql: string): void {
  if (checked.has(sql)) return
  const list = /^select (?:distinct )?(.*?) from /is.exec(withoutParentheses(sql))?.[1] ?? ''
  const names = list.split(',').map((column) => /"([^"]+)"\s*$/.exec(column)?.[1] ?? '')
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i)
  if (twice) throw new Error(`two columns named ${twice} in one select: give one an alias (db/columns.ts)`)
  if (checked.size < 2_000) checked.add(sql)
}

function withoutParentheses(sql: string): string {
  for (let text = sql; ;) {
    const shorter = text.replace(/\([^()]*\)/g, '')
    if (shorter === text) return text
    text = shorter
  }
}
