import { SQL, sql } from 'drizzle-orm'
import { ERRORS, type ErrorKey, Refusal, type Violation, violation } from '../contract/errors.ts'
import type { Db } from './client.ts'
import { jsonObject } from './columns.ts'
import type { Statement } from './driver.ts'

/**
 * A statement that aborts its batch unless the condition holds, so that an invariant is checked in the transaction that
 * needs it and costs no round trip. SQLite has no `assert`: json_extract refuses a path that is none and names it.
 */
export function guard(db: Db, condition: SQL, refusal: Violation | SQL) {
  const failing = refusal instanceof SQL ? refusal : mark(refusal)
  return db.all(sql`select json_extract('{}', case when ${condition} then '$' else ${failing} end)`)
}

/** A refusal for `guard` whose blanks the database fills in. */
export const refusalBySql = (key: ErrorKey, params: Readonly<Record<string, SQL>>): SQL =>
  sql`${`!${key}`} || ${jsonObject(params)} || '!'`

/** Rides ahead of a request's first batch: fails it when the session ended or its rights changed since its token was made. */
export function sessionStatement(id: string, version: number): Statement {
  const isOpen = 'exists (select 1 from sessions where id = ? and version = ? and ended_at is null)'
  const choice = `case when ${isOpen} then '$' else ? end`
  return { sql: `select json_extract('{}', ${choice})`, params: [id, version, mark(violation('SESSION_REVOKED'))] }
}

/** A round trip for the sake of what rides ahead of it. */
export const onlyGuards = (db: Db) => db.get(sql`select 1`)

/** The text a guard fails with. */
export const mark = ({ key, params }: Violation): string => `!${key}${JSON.stringify(params)}!`

const MARK = /!([A-Z_]+)(\{.*\})!/s // JSON leaves U+2028 as it is

/** Turns a failed guard into its refusal; other errors stay as they are. */
export function parseGuardFailure(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof Refusal) return at // the query builder wraps what a single statement throws
    if ('params' in at) continue // its own message quotes the statement, not what happened
    const found = MARK.exec(at.message) // one message at a time: a cause repeats it
    if (found?.[1] && found[1] in ERRORS) {
      const params = (found[2] ?? '{}').replaceAll("''", "'") // SQLite quotes the path it complains of
      return new Refusal(violation(found[1] as ErrorKey, JSON.parse(params) as Violation['params']))
    }
  }
  return error
}

/** `table.column` of a UNIQUE index the write ran into, or null. */
function takenColumn(error: unknown): string | null {
  return /UNIQUE constraint failed: ([\w.]+)/.exec(fullMessage(error))?.[1] ?? null
}

/** Runs a write; where it meets a UNIQUE index named here, the given refusal is thrown instead. */
export async function refusingTaken<T>(write: Promise<T>, refusals: Readonly<Record<string, Violation>>): Promise<T> {
  try {
    return await write
  } catch (error) {
    const found = refusals[takenColumn(error) ?? '']
    throw found ? new Refusal(found) : error
  }
}

function fullMessage(error: unknown): string {
  return error instanceof Error ? `${error.message} ${fullMessage(error.cause ?? '')}` : String(error)
}
