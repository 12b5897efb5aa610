import { globSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize } from 'node:v8'
import { type Select, readSqlite } from '#infra/bench/read-database.ts'

/* Rows of the hubs of routers, in their files beside the stack that runs on them. */

const HUBS = 'state/do/*RouterHub*/*.sqlite'

/** Number of rows in the hub of the router whose serial stands in its state. */
export function countHubRows(data: string, serial: string): number {
  const files = globSync(join(data, HUBS)).filter((file) => !file.endsWith('metadata.sqlite'))
  const counts = files.flatMap((file) => readSqlite(file, (all) => (isOf(all, serial) ? [countRows(all)] : [])))
  if (counts.length !== 1) throw new Error(`${counts.length} hubs of ${serial} in ${files.length} files`)
  return counts[0] ?? 0
}

const tablesOf = (all: Select): readonly string[] =>
  all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name))

const isOf = (all: Select, serial: string): boolean =>
  tablesOf(all).includes('_cf_KV') &&
  all("SELECT value FROM _cf_KV WHERE key = 'router'").some(({ value }) => {
    const facts = value instanceof Uint8Array ? (deserialize(value) as { readonly routerName?: string } | null) : null
    return facts?.routerName === serial
  })

const countRows = (all: Select): number =>
  tablesOf(all).reduce((sum, table) => sum + Number(all(`SELECT count(*) AS n FROM "${table}"`)[0]?.['n'] ?? 0), 0)
