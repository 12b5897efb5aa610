import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { openDb } from '#db/client.ts'
import type { Driver } from '#db/driver.ts'
import { LOG_SHEETS } from '#domain/logs/export-sheet.ts'
import { exportLog } from '#features/logs/export.ts'
import { selectLogins } from '#features/logs/sql/logs.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Ctx } from '#http/context.ts'
import type { Taken } from '../measures.ts'
import { insertSql } from './rows.ts'

/** `<ours|sheetjs> <rows> <file>`: writes the workbook to the file, and what making it took to the output. */
const [peer = '', rows = '', file = ''] = process.argv.slice(2)
const now = 1_790_000_000_000 // the same in both processes
const session = { accountId: 1, grants: { kind: 'main', flags: [], networks: null }, username: 'bench' }
const sqlite = new DatabaseSync(':memory:')
for (const name of readdirSync('migrations').toSorted()) sqlite.exec(readFileSync(`migrations/${name}`, 'utf8'))
sqlite.exec(insertSql('software_login_logs', { accountId: 1, rows: Number(rows), now, stepMs: 10 }))

let peak = 0
/** Called at each read, when the portion before is still there. */
const sample = () => {
  const { heapUsed, external } = process.memoryUsage()
  peak = Math.max(peak, (heapUsed + external) / 1_048_576)
  return (heapUsed + external) / 1_048_576
}
const driver: Driver = async (statements) => {
  sample()
  await new Promise(setImmediate)
  return statements.map(({ sql, params }) => {
    const statement = sqlite.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...(params as (string | number | null)[])) as unknown as unknown[][]
  })
}
const db = openDb(driver)
const ctx = { db, session, now, ip: '', requestId: 'bench' } as unknown as Ctx
const DEFAULT = { search: '', router_name: '', actor_kind: '', actor: '', module: '' } as const
const RANGE = { start_time: undefined, end_time: undefined }

const PEERS = {
  ours: async () => (await exportLog(ctx, { type: 'software_login', ...DEFAULT, ...RANGE })).data,
  /** The same texts, as a workbook that is made as a whole. */
  sheetjs: async () => {
    const XLSX = await import('xlsx')
    const { columns } = LOG_SHEETS.software_login
    const found = await selectLogins(db, session as unknown as Scope, { ...DEFAULT, from: 0, to: now })
    const texts = found.map((row) => columns.map(({ text }) => text(row)))
    const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([columns.map(({ header }) => header), ...texts]))
    sample()
    return String(XLSX.write(book, { type: 'base64', bookType: 'xlsx', compression: true }))
  },
}

globalThis.gc?.()
const beforeMiB = sample()
peak = beforeMiB
const cpu = process.cpuUsage()
const data = await PEERS[peer === 'ours' ? 'ours' : 'sheetjs']()
sample()
const { user, system } = process.cpuUsage(cpu)
writeFileSync(file, Buffer.from(data, 'base64'))
process.stdout.write(JSON.stringify({ cpuMs: (user + system) / 1_000, peakMiB: peak, beforeMiB } satisfies Taken))
