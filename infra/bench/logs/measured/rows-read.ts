import { readFileSync, readdirSync } from 'node:fs'
import { Miniflare, convertV4MiniflareOptions } from 'miniflare'
import { unstable_splitSqlQuery as splitSql } from 'wrangler'
import { openDb } from '#db/client.ts'
import { d1Driver } from '#db/driver.ts'
import { listAudit, listConnections, listLogins, listOnline } from '#features/logs/lists.ts'
import type { Ctx } from '#http/context.ts'
import type { RowsRead } from '../measures.ts'
import { type LogTable, insertRows } from './rows.ts'

const ROWS = 1_000_000
const DAYS = 200
/** Of an account whose seven days hold fewer rows than the count goes to. */
const FEW_ROWS = 250_000
const DAY_MS = 86_400_000

const DEFAULT = { page: 1, limit: 10, search: '', router_name: '', start_time: undefined, end_time: undefined } as const
const ALL = { ...DEFAULT, actor_kind: '', actor: '', module: '' } as const
const LISTS = {
  software_login_logs: (ctx: Ctx) => listLogins(ctx, DEFAULT),
  connection_logs: (ctx: Ctx) => listConnections(ctx, DEFAULT),
  dial_logs: (ctx: Ctx) => listOnline(ctx, { ...DEFAULT, mode: 'p2p' }),
  audit_logs: (ctx: Ctx) => listAudit(ctx, ALL),
} as const satisfies Readonly<Record<LogTable, unknown>>

/** The first page of each log as it opens, on D1 itself: writes what it counts as read to its output. */
const options = { modules: true, script: 'export default {}', d1Databases: ['DB'] }
const miniflare = new Miniflare(convertV4MiniflareOptions(options))
try {
  const d1 = (await miniflare.getD1Database('DB')) as unknown as D1Database
  for (const name of readdirSync('migrations').toSorted())
    await d1.batch(splitSql(readFileSync(`migrations/${name}`, 'utf8')).map((sql) => d1.prepare(sql)))
  const measured: RowsRead[] = []
  for (const [table, list] of Object.entries(LISTS) as [LogTable, (ctx: Ctx) => Promise<Page>][]) {
    const now = Date.now()
    for (const [accountId, rows] of [
      [1, ROWS],
      [2, FEW_ROWS],
    ] as const) {
      await insertRows(d1, table, { accountId, rows, now: now - accountId, stepMs: (DAYS * DAY_MS) / rows })
      measured.push(await measure(d1, table, list, { accountId, rows, now }))
    }
    await d1.prepare(`delete from ${table}`).run()
  }
  process.stdout.write(JSON.stringify(measured))
} finally {
  await miniflare.dispose()
}

interface Page {
  readonly data: readonly unknown[]
  readonly count: number
}

async function measure(
  d1: D1Database,
  table: LogTable,
  list: (ctx: Ctx) => Promise<Page>,
  { accountId, rows, now }: { readonly accountId: number; readonly rows: number; readonly now: number },
): Promise<RowsRead> {
  let read = 0
  const counting = {
    prepare: (sql: string) => d1.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await d1.batch(statements)
      for (const { meta } of results) read += meta.rows_read
      return results
    },
  } as unknown as D1Database
  const session = { accountId, grants: { kind: 'main', flags: [], networks: null } }
  const ctx = { db: openDb(d1Driver(counting)), session, now } as unknown as Ctx
  const startedAt = performance.now()
  const { data, count } = await list(ctx)
  const tookMs = performance.now() - startedAt
  if (data.length !== DEFAULT.limit) throw new Error(`${table}: ${data.length} rows on the first page`)
  return { table, rows, read, count, tookMs }
}
