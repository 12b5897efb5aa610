import { refuse } from '#contract/kernel/errors.ts'
import { timeText } from '#contract/kernel/time.ts'
import { LOG_EXPORT, LOG_SEARCH } from '#contract/logs/limits.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { LOG_SHEETS, logFileName } from '#domain/logs/export-sheet.ts'
import { createWorkbookStream } from '#features/workbook/service.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { type ExportInput, type LogSource, createSource } from './export-source.ts'
import { toSearchedFrom, type Lease, acquireLease, releaseLease, renewLease, selectLeaseEnd } from './sql/logs.ts'

/**
 * Exports a log as a workbook, read in portions while it is written. One at a time for each account, audited. The lease is
 * short and renewed, so that an export that was cut off soon blocks no other.
 */
export async function exportLog(ctx: Ctx, input: ExportInput) {
  const { db, now } = ctx
  const source = createSource(ctx, input)
  let lease: Lease = { key: `log_export:${requireAccountId(ctx)}`, endsAt: now + LOG_EXPORT.leaseMs }
  const { taken, held, count, floor } = await batch(db, {
    taken: acquireLease(db, lease, now),
    held: selectLeaseEnd(db, lease),
    ...source.bounds,
  })
  if (taken.length === 0) return refuseRunning(held[0]?.endsAt ?? now, now)
  const renew = async () => {
    const at = Date.now()
    if (at < lease.endsAt - LOG_EXPORT.leaseMs + LOG_EXPORT.renewMs) return
    const next = { ...lease, endsAt: at + LOG_EXPORT.leaseMs }
    const renewed = await renewLease(db, lease, next.endsAt)
    if (renewed.length === 0) return refuseRunning(next.endsAt, at)
    lease = next
  }
  try {
    const rows = count[0]?.[0] ?? 0
    if (toSearchedFrom(floor).searched_from !== null) refuse('EXPORT_SEARCH_MAX', { limit: LOG_SEARCH.rowsMax })
    if (rows === 0) refuse('EXPORT_EMPTY')
    if (rows > LOG_EXPORT.rowsMax) refuse('EXPORT_ROWS_MAX', { limit: LOG_EXPORT.rowsMax })
    const data = await writeWorkbook(LOG_SHEETS[input.type].title, source, renew)
    const file_name = logFileName(input.type, now)
    await batch(db, { audit: exportAudit(ctx, input, file_name, source, rows) })
    return { data, file_name }
  } finally {
    await releaseLease(db, lease)
  }
}

const refuseRunning = (endsAt: number, now: number) =>
  refuse('EXPORT_RUNNING', { retry_after: Math.max(1, Math.ceil((endsAt - now) / 1000)) })

/** Workbook in base64; `onChunk` is called between its chunks. */
async function writeWorkbook(
  sheetName: string,
  { columns, texts }: LogSource,
  onChunk: () => Promise<void>,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of createWorkbookStream({ sheetName, columns, rows: texts() })) {
    size += chunk.length
    if (size > LOG_EXPORT.maxBytes) refuse('EXPORT_TOO_LARGE', { limit: LOG_EXPORT.maxBytes / 1_048_576 })
    chunks.push(chunk)
    await onChunk()
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
