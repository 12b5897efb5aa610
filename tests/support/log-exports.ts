import * as XLSX from 'xlsx'
import type { Input } from '#contract/kernel/endpoint.ts'
import { logsApi } from '#contract/logs/index.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { dialLogs, softwareLoginLogs } from '#db/schema/clients.ts'
import { connectionLogs } from '#db/schema/routers.ts'
import { type createMainAccount, unique } from './fixtures.ts'
import { db } from './test-worker.ts'

type Main = Awaited<ReturnType<typeof createMainAccount>>

/** Default time of rows, and the day around it. */
export const LOGGED_AT = Date.parse('2026-03-10T23:59:58+08:00')
export const LOGGED_RANGE = { start_time: '2026-03-10', end_time: '2026-03-10' } as const

/** The workbook of an export, as SheetJS reads it; throws where it was refused. */
export async function exportLog(caller: Pick<Main, 'call'>, input: Input<typeof logsApi.export>) {
  const answer = await caller.call(logsApi.export, { ...LOGGED_RANGE, ...input })
  if (answer.code !== 200) throw new Error(`${answer.code} ${answer.msg}`)
  const { Sheets, SheetNames } = XLSX.read(answer.data, { type: 'base64' })
  const sheet = Sheets[SheetNames[0]!]!
  const cells = Object.keys(sheet)
    .filter((name) => !name.startsWith('!'))
    .map((name) => sheet[name] as XLSX.CellObject)
  return {
    msg: answer.msg,
    name: answer.file_name,
    sheets: SheetNames,
    rows: XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1, defval: '' }),
    types: [...new Set(cells.map(({ t }) => t))],
    formulas: cells.filter(({ f }) => f !== undefined),
  }
}

export async function createLogins(
  { accountId }: Main,
  rows: readonly Partial<typeof softwareLoginLogs.$inferInsert>[],
): Promise<void> {
  const row = { accountId, routerName: 'li@qiming', ok: 1 as const, ip: '203.0.113.7', at: LOGGED_AT }
  for (const over of rows) await db.insert(softwareLoginLogs).values({ ...row, ...over })
}

export async function createDials(
  { accountId }: Main,
  rows: readonly Partial<typeof dialLogs.$inferInsert>[],
): Promise<void> {
  const row = { accountId, mode: 'p2p' as const, networkNumber: 'N1', routerName: 'li@qiming', linkRouterName: 'NL-1' }
  for (const over of rows) await db.insert(dialLogs).values({ ...row, key: unique('k'), startAt: LOGGED_AT, ...over })
}

interface Logged {
  readonly accountId: number
  readonly routerId: number
  readonly router: string
  readonly network: string
  /** Stands in a text of each row. */
  readonly mark: string
}

/** One row in each log, of this member and network, from now. */
export async function insertLogRows({ accountId, routerId, router, network, mark }: Logged): Promise<void> {
  const at = Date.now()
  const member = { accountId, routerId, routerName: router, reason: mark }
  const dial = { ...member, networkNumber: network, linkRouterName: router, startAt: at }
  await db.batch([
    db
      .insert(connectionLogs)
      .values({ ...member, epoch: 1, online: 1, remoteIp: '203.0.113.5', remotePort: 1, version: '1', at }),
    db.insert(dialLogs).values({ ...dial, key: unique('k'), mode: 'p2p' }),
    db.insert(dialLogs).values({ ...dial, key: unique('k'), mode: 'pop', popName: mark }),
    db.insert(softwareLoginLogs).values({ ...member, ok: 1, ip: '203.0.113.7', at }),
    db.insert(auditLogs).values({
      accountId,
      actorKind: 'main',
      actorName: 'boss',
      module: 'network',
      action: 'edit',
      target: network,
      message: mark,
      ip: '',
      requestId: unique('r'),
      at,
    }),
  ])
}
