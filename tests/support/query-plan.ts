import { readFileSync, readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const planner = new DatabaseSync(':memory:')
for (const file of readdirSync('migrations').toSorted()) planner.exec(readFileSync(`migrations/${file}`, 'utf8'))
const TABLES = planner
  .prepare(`select name from sqlite_master where type = 'table'`)
  .all()
  .map((row) => String(row['name']))

/** A statement with the steps of its query plan that read a whole table. */
export interface QueryPlan {
  readonly sql: string
  readonly scans: readonly string[]
}

export function planOf(sql: string, params: readonly unknown[]): QueryPlan {
  const steps = planner.prepare(`explain query plan ${sql}`).all(...(params as string[]))
  return { sql, scans: steps.map((step) => String(step['detail'])).filter((detail) => isTableScan(detail, sql)) }
}

/** `SCAN x`: x is a table or its alias; a subquery, a list of JSON or one row is no table. */
function isTableScan(detail: string, sql: string): boolean {
  const [, name] = /^SCAN (\w+)/.exec(detail) ?? []
  if (!name || name === 'CONSTANT') return false
  return TABLES.includes(name) || TABLES.some((table) => new RegExp(`\\b${table} ${name}\\b`).test(sql))
}
