import { refuse } from '#contract/kernel/errors.ts'
import { timeText } from '#contract/kernel/time.ts'
import { LOG_EXPORT, LOG_SEARCH } from '#contract/logs/limits.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { LOG_SHEETS, logFileName } from '#domain/logs/export-sheet.ts'
import { createWorkbookStream } from '#features/workbook/service.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { type ExportInput, type LogSource, createSource } from './export-source.ts'
import { toSearchedFrom, type Lease, acquireLease, releaseLease } from './sql/logs.ts'

/** Exports a log as a workbook, read in portions while it is written. One at a time for each account, audited. */
export async function exportLog(ctx: Ctx, input: ExportInput) {
  const { db, now } = ctx
  const source = createSource(ctx, input)
  const lease: Lease = { key: `log_export:${requireAccountId(ctx)}`, endsAt: now + LOG_EXPORT.leaseMs }
  const { taken, count, floor } = await batch(db, {
    taken: acquireLease(db, lease, now),
    ...source.bounds,
  })
  if (taken.length === 0) return refuse('EXPORT_RUNNING')
  try {
    const rows = count[0]?.[0] ?? 0
    if (toSearchedFrom(floor).searched_from !== null) refuse('EXPORT_SEARCH_MAX', { limit: LOG_SEARCH.rowsMax })
    if (rows === 0) refuse('EXPORT_EMPTY')
    if (rows > LOG_EXPORT.rowsMax) refuse('EXPORT_ROWS_MAX', { limit: LOG_EXPORT.rowsMax })
    const data = await writeWorkbook(LOG_SHEETS[input.type].title, source)
    const file_name = logFileName(input.type, now)
    await batch(db, { audit: exportAudit(ctx, input, file_name, source, rows) })
    return { data, file_name }
  } finally {
    await releaseLease(db, lease)
  }
}

/** Workbook in base64. */
async function writeWorkbook(sheetName: string, { columns, texts }: LogSource): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of createWorkbookStream({ sheetName, columns, rows: texts() })) {
    size += chunk.length
    if (size > LOG_EXPORT.maxBytes) refuse('EXPORT_TOO_LARGE', { limit: LOG_EXPORT.maxBytes / 1_048_576 })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('base64')
}

function exportAudit(ctx: Ctx, { type, ...sent }: ExportInput, fileName: string, { range }: LogSource, rows: number) {
  const { search, router_name, actor_kind, actor, module } = sent
  const filters = Object.entries({ search, router_name, actor_kind, actor, module }).filter(([, value]) => value !== '')
  return auditRow(ctx, {
    module: 'logs',
    action: 'export',
    target: fileName,
    message: `导出${LOG_SHEETS[type].title}${rows}条`,
    after: {
      rows,
      start_time: timeText(range.from),
      end_time: timeText(range.to),
      ...Object.fromEntries(filters),
    },
  })
}
