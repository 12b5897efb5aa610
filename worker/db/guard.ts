import { type SQL, sql } from 'drizzle-orm'
import { ERRORS, type ErrorKey, Refusal } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import type { Db } from './client.ts'
import type { Statement } from './driver.ts'

/* Guards: statements that abort a batch, and the refusals that their failures become. */

/** SQL condition that callers pass from one statement builder to another. */
export type Condition = SQL

/**
 * Statement that aborts its batch unless the condition holds, for races that no UNIQUE or CHECK decides. SQLite has no
 * `assert`, but json_extract fails with the text of an invalid path.
 */
export const guard = (db: Db, condition: SQL, refusal: Violation) =>
  db.all(sql`select json_extract('{}', case when ${condition} then '$' else ${encodeRefusal(refusal)} end)`)

/** First statement of a request. Fails if the session has ended or its rights changed since the token was issued. */
export const sessionStatement = (id: string, version: number): Statement =>
  openStatement('select 1 from sessions where id = ? and version = ? and ended_at is null', [id, version])

/** The same for a session of the client application, whose member and account must also be enabled. */
export const clientStatement = (id: string): Statement =>
  openStatement(
    `select 1 from client_sessions s join routers r on r.id = s.router_id join accounts a on a.id = r.account_id
      where s.id = ? and s.ended_at is null and r.status = 1 and a.status = 1`,
    [id],
  )

const openStatement = (select: string, params: (string | number)[]): Statement => ({
  sql: `select json_extract('{}', case when exists (${select}) then '$' else ? end)`,
  params: [...params, encodeRefusal(violation('SESSION_REVOKED'))],
})

/** An empty round trip that runs only the guards prepended to it. */
export const runGuardsOnly = (db: Db) => db.get(sql`select 1`)

/** Text of a failed guard. */
export const encodeRefusal = ({ key, params }: Violation): string => `!${key}${JSON.stringify(params)}!`

/** Start of the text of a full rate window; SQL appends the end of the window and `!`. */
export const encodeFullWindow = (now: number): string => `!WINDOW_FULL ${now} `

const REFUSAL_PATTERN = /!([A-Z_]+)(\{.*\})!/s // JSON does not escape U+2028
const FULL_WINDOW_PATTERN = /!WINDOW_FULL (\d+) (\d+)!/

/** Turns a failed guard into its refusal; other errors are unchanged. */
export function parseGuardFailure(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof Refusal) return at // the query builder wraps the error of a single statement
    if ('params' in at) continue // its own message quotes only the statement
    const found = parseRefusal(at.message) ?? parseFullWindow(at.message) // one message at a time: a cause repeats it
    if (found) return new Refusal(found)
  }
  return error
}

function parseRefusal(message: string): Violation | null {
  const [, key = '', params = '{}'] = REFUSAL_PATTERN.exec(message) ?? []
  if (!(key in ERRORS)) return null
  const unquoted = params.replaceAll("''", "'") // SQLite doubles quotes in the path it reports
  return violation(key as ErrorKey, JSON.parse(unquoted) as Violation['params'])
}

function parseFullWindow(message: string): Violation | null {
  const [, now, windowEnd] = FULL_WINDOW_PATTERN.exec(message) ?? []
  if (windowEnd === undefined) return null
  const seconds = Math.ceil((Number(windowEnd) - Number(now)) / 1000)
  return violation('TOO_OFTEN', { retry_after: Math.max(1, seconds) })
}

/** `table.column` of the UNIQUE index that the write violated, or null. */
function parseUniqueColumn(error: unknown): string | null {
  return /UNIQUE constraint failed: ([\w.]+)/.exec(joinMessages(error))?.[1] ?? null
}

/** Runs a write. A violated UNIQUE index of the given list becomes its refusal. */
export async function mapUniqueViolation<T>(
  write: Promise<T>,
  refusals: Readonly<Record<string, Violation>>,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    const found = refusals[parseUniqueColumn(error) ?? '']
    throw found ? new Refusal(found) : error
  }
}

function joinMessages(error: unknown): string {
  return error instanceof Error ? `${error.message} ${joinMessages(error.cause ?? '')}` : String(error)
}
