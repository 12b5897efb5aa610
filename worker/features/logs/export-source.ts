import type { TimeRange } from '#contract/kernel/hubs.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { LOG_EXPORT } from '#contract/logs/limits.ts'
import type { LogExport, logsApi } from '#contract/logs/index.ts'
import { toAuditRow } from '#domain/logs/audit-difference.ts'
import { LOG_SHEETS } from '#domain/logs/export-sheet.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { toAuditFilter, toLogFilter, toOnlineFilter } from './lists.ts'
import { type LogKey, auditLog, type boundsOf, connectionLog, loginLog } from './sql/logs.ts'
import { onlineBounds, selectBegan, selectLasted } from './sql/online.ts'

/* Rows and columns of a log for its export, read in portions: one source for each kind of log. */

export type ExportInput = Parsed<typeof logsApi.export>
type Sheet<Row> = readonly { readonly header: string; readonly text: (row: Row) => string }[]

/** Source of an export: number of its rows, its columns, and the texts of each row. */
export interface LogSource {
  readonly range: TimeRange
  /** Number of rows, and the time at which the search of the export stopped. */
  readonly bounds: ReturnType<typeof boundsOf>
  readonly columns: Sheet<never>
  readonly texts: () => AsyncGenerator<readonly string[]>
}

const { portion, rowsMax } = LOG_EXPORT

export const createSource = (ctx: Ctx, input: ExportInput): LogSource => SOURCES[input.type](ctx, input)

const SOURCES: { readonly [T in LogExport]: (ctx: Ctx, input: ExportInput) => LogSource } = {
  software_login: (ctx, input) => {
    const filter = toLogFilter(ctx.now, input)
    const { selectRows, bounds } = loginLog(ctx.db, requireSession(ctx), filter)
    const rows = () => byKey((last) => selectRows(last).limit(portion))
    return toSource(filter, bounds(rowsMax), LOG_SHEETS.software_login.columns, rows)
  },
  connect: (ctx, input) => {
    const filter = toLogFilter(ctx.now, input)
    const { selectRows, bounds } = connectionLog(ctx.db, requireSession(ctx), filter)
    const rows = () => byKey((last) => selectRows(last).limit(portion))
    return toSource(filter, bounds(rowsMax), LOG_SHEETS.connect.columns, rows)
  },
  online: (ctx, input) => onlineSource(ctx, input, 'p2p', LOG_SHEETS.online.columns),
  pop_online: (ctx, input) => onlineSource(ctx, input, 'pop', LOG_SHEETS.pop_online.columns),
  audit: (ctx, input) => {
    const filter = toAuditFilter(ctx.now, input)
    const { selectRows, bounds } = auditLog(ctx.db, requireSession(ctx).accountId, filter)
    const rows = () => byKey(async (last) => (await selectRows(last).limit(portion)).map(toAuditRow))
    return toSource(filter, bounds(rowsMax), LOG_SHEETS.audit.columns, rows)
  },
}

type OnlineSheet = (typeof LOG_SHEETS)['online']['columns']

function onlineSource(ctx: Ctx, input: ExportInput, mode: 'p2p' | 'pop', columns: OnlineSheet): LogSource {
  const [{ db }, scope, filter] = [ctx, requireSession(ctx), toOnlineFilter(ctx.now, { ...input, mode })]
  async function* rows() {
    yield* byKey((last) => selectBegan(db, scope, filter, last).limit(portion))
    yield* byKey((last) => selectLasted(db, scope, filter, last).limit(portion))
  }
  return toSource(filter, onlineBounds(db, scope, filter, rowsMax), columns, rows)
}

/** Reads rows in portions. Only one portion is in memory; the next is read after all of it is written. */
async function* byKey<Row extends LogKey>(read: (last: LogKey | null) => PromiseLike<Row[]>): AsyncGenerator<Row> {
  let last: LogKey | null = null
  for (;;) {
    const rows: Row[] = await read(last)
    yield* rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < portion) return
    last = { at: end.at, log_id: end.log_id }
  }
}

function toSource<Row>(
  { from, to }: TimeRange,
  bounds: LogSource['bounds'],
  columns: Sheet<Row>,
  rows: () => AsyncIterable<Row>,
): LogSource {
  async function* texts() {
    for await (const row of rows()) yield columns.map(({ text }) => text(row))
  }
  return { range: { from, to }, bounds, columns, texts }
}
