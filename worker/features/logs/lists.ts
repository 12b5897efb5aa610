import { refuse } from '#contract/kernel/errors.ts'
import type { TimeRange } from '#contract/kernel/hubs.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import type { logsApi } from '#contract/logs/index.ts'
import { LOG_RANGE_MS } from '#contract/logs/limits.ts'
import { batch } from '#db/batch.ts'
import { type Page, toCappedCount } from '#db/paged.ts'
import { connectionReason } from '#domain/logs/close-reason.ts'
import { toAuditRow } from '#domain/logs/audit-difference.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import {
  type AuditFilter,
  type LogFilter,
  auditLog,
  connectionLog,
  loginLog,
  readLogPage,
  toSearchedFrom,
} from './sql/logs.ts'
import { type OnlineFilter, onlineBounds, selectOnlinePage } from './sql/online.ts'

/* Lists of logs (sign-in, connection, online, audit), and the filters of a request. */

export function listLogins(ctx: Ctx, input: Parsed<typeof logsApi.softwareLogin>) {
  const log = loginLog(ctx.db, requireSession(ctx), toLogFilter(ctx.now, input))
  return readLogPage(ctx.db, log.selectRows().$dynamic(), log, toWindow(input))
}

export async function listConnections(ctx: Ctx, input: Parsed<typeof logsApi.connect>) {
  const log = connectionLog(ctx.db, requireSession(ctx), toLogFilter(ctx.now, input))
  const { data, ...counts } = await readLogPage(ctx.db, log.selectRows().$dynamic(), log, toWindow(input))
  return { data: data.map((row) => ({ ...row, reason: connectionReason(row.reason) })), ...counts }
}

export async function listOnline(ctx: Ctx, input: Parsed<typeof logsApi.online>) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const filter = toOnlineFilter(ctx.now, input)
  const { began, lasted, count, floor } = await batch(db, {
    ...selectOnlinePage(db, scope, filter, toWindow(input)),
    ...onlineBounds(db, scope, filter, COUNT_MAX),
  })
  return { data: [...began, ...lasted], ...toCappedCount(count), ...toSearchedFrom(floor) }
}

export async function listAudit(ctx: Ctx, input: Parsed<typeof logsApi.audit>) {
  const log = auditLog(ctx.db, requireAccountId(ctx), toAuditFilter(ctx.now, input))
  const { data, ...counts } = await readLogPage(ctx.db, log.selectRows().$dynamic(), log, toWindow(input))
  return { data: data.map(toAuditRow), ...counts }
}

/** Limit and offset of a page. Pages end at the largest count, because each further one would read all rows before it. */
function toWindow({ page, limit }: Page) {
  const offset = (page - 1) * limit
  return offset < COUNT_MAX ? { limit, offset } : refuse('LOG_ROWS_MAX', { limit: COUNT_MAX })
}

type RequestedRange = Pick<Parsed<typeof logsApi.audit>, 'start_time' | 'end_time'>
type FilterInput<F extends TimeRange> = RequestedRange & Omit<F, keyof TimeRange | 'now'>

/** The last seven days unless a range is given (network 9). */
function toRange(now: number, { start_time, end_time = now }: RequestedRange): TimeRange {
  return { from: start_time ?? end_time - LOG_RANGE_MS, to: end_time }
}

export const toLogFilter = (now: number, { search, router_name, ...sent }: FilterInput<LogFilter>): LogFilter => ({
  search,
  router_name,
  ...toRange(now, sent),
})

export const toOnlineFilter = (now: number, { mode, ...sent }: FilterInput<OnlineFilter>): OnlineFilter => ({
  ...toLogFilter(now, sent),
  mode,
  now,
})

export const toAuditFilter = (
  now: number,
  { search, actor_kind, actor, module, ...sent }: FilterInput<AuditFilter>,
): AuditFilter => ({ search, actor_kind, actor, module, ...toRange(now, sent) })
