import { readFileSync, readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const planner = new DatabaseSync(':memory:')
for (const file of readdirSync('migrations').toSorted()) planner.exec(readFileSync(`migrations/${file}`, 'utf8'))
planner.exec('create table d1_migrations (id integer primary key, name text unique, applied_at text)') // of wrangler

/** Tables that may be scanned, for their rows do not grow with the accounts. */
const BOUNDED_TABLES: Readonly<Record<string, string>> = {
  account_erasures: 'a row for each account that has left',
  d1_migrations: 'a row for each migration',
  announcements: 'written by the operator, a few a year',
  documents: 'articles of the handbook, a few hundred',
  job_runs: 'a row for each cron job',
  outbox: 'filled by local runs only, and emptied after a day',
  pops: 'areas of the operator',
  provider_status: 'a row for each channel',
  releases: 'builds of the operator, a few a month',
  sms_countries: 'a row for each dial code',
}
/** The same of indexes that hold part of a table. */
const BOUNDED_INDEXES: Readonly<Record<string, string>> = {
  routers_unhashed: 'passwords of member files that wait for the next cron',
}
const GROWING_TABLES = planner
  .prepare(`select name from sqlite_master where type = 'table'`)
  .all()
  .map((row) => String(row['name']))
  .filter((name) => !(name in BOUNDED_TABLES))

/** A statement with the steps of its query plan that read a whole table. */
export interface QueryPlan {
  readonly sql: string
  readonly scans: readonly string[]
}

export function planOf(sql: string): QueryPlan {
  const steps = planner.prepare(`explain query plan ${sql}`).all()
  return { sql, scans: steps.map((step) => String(step['detail'])).filter((detail) => isTableScan(detail, sql)) }
}

/** In a statement that is meant for all of them, such as a message of the operator. */
export const FOR_ALL = '/* every account */'

const planned = new Set<string>()

/** Throws if a statement reads a whole table: what a call costs must not grow with the rows of other accounts. */
export function refuseScan(sql: string): void {
  if (planned.has(sql) || sql.includes(FOR_ALL) || !/^\s*(select|insert|update|delete|with)\b/i.test(sql)) return
  const { scans } = planOf(sql)
  if (scans.length > 0) throw new Error(`${scans.join(', ')}: no index for ${sql}`)
  planned.add(sql)
}

/**
 * `SCAN x`, x being a table or its alias: a subquery, a list of JSON or one row is no table. An automatic index is built by
 * a scan. An insert plans the rows that refer to its own as well, but reads them only while a key is violated.
 */
function isTableScan(detail: string, sql: string): boolean {
  const [, name] = /^SCAN (\w+)/.exec(detail) ?? /^SEARCH (\w+) USING AUTOMATIC/.exec(detail) ?? []
  const [, index = ''] = / USING (?:COVERING )?INDEX (\w+)/.exec(detail) ?? []
  if (name === undefined || index in BOUNDED_INDEXES) return false
  if (GROWING_TABLES.includes(name)) return !/^\s*insert\b/i.test(sql) || new RegExp(`\\b${name}\\b`).test(sql)
  return GROWING_TABLES.some((table) => new RegExp(`\\b${table}"? (?:as )?"?${name}\\b`, 'i').test(sql))
}
