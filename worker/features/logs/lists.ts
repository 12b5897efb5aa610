import { refuse } from '../../contract/errors.ts'
import type { Parsed } from '../../contract/endpoint.ts'
import { COUNT_MAX } from '../../contract/list.ts'
import type { logsApi } from '../../contract/logs.ts'
import { batch } from '../../db/batch.ts'
import { type Page, selectCountUpTo, toCappedCount } from '../../db/paged.ts'
import { toAuditRow } from '../../domain/logs/audit-difference.ts'
import { type Ctx, requireAccountId, requireSession } from '../../http/context.ts'
import { toAuditFilter, toLogFilter, toOnlineFilter } from './filters.ts'
import { auditRows, connectionRows, loginRows, selectAudit, selectConnectionLog, selectLogins } from './queries.ts'
import { countOnline, selectOnlinePage } from './queries-online.ts'

export async function listLogins(ctx: Ctx, input: Parsed<typeof logsApi.softwareLogin>) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const [filter, { limit, offset }] = [toLogFilter(ctx.now, input), toWindow(input)]
  const { data, count } = await batch(db, {
    data: selectLogins(db, scope, filter).limit(limit).offset(offset),
    count: selectCountUpTo(db, loginRows(db, scope, filter), COUNT_MAX),
  })
  return { data, ...toCappedCount(count) }
}

export async function listConnections(ctx: Ctx, input: Parsed<typeof logsApi.connect>) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const [filter, { limit, offset }] = [toLogFilter(ctx.now, input), toWindow(input)]
  const { data, count } = await batch(db, {
    data: selectConnectionLog(db, scope, filter).limit(limit).offset(offset),
    count: selectCountUpTo(db, connectionRows(db, scope, filter), COUNT_MAX),
  })
  return { data, ...toCappedCount(count) }
}

export async function listOnline(ctx: Ctx, input: Parsed<typeof logsApi.online>) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const filter = toOnlineFilter(ctx.now, input)
  const { began, lasted, count } = await batch(db, {
    ...selectOnlinePage(db, scope, filter, toWindow(input)),
    count: countOnline(db, scope, filter, COUNT_MAX),
  })
  return { data: [...began, ...lasted], ...toCappedCount(count) }
}

export async function listAudit(ctx: Ctx, input: Parsed<typeof logsApi.audit>) {
  const { db } = ctx
  const accountId = requireAccountId(ctx)
  const [filter, { limit, offset }] = [toAuditFilter(ctx.now, input), toWindow(input)]
  const { rows, count } = await batch(db, {
    rows: selectAudit(db, accountId, filter).limit(limit).offset(offset),
    count: selectCountUpTo(db, auditRows(accountId, filter), COUNT_MAX),
  })
  return { data: rows.map(toAuditRow), ...toCappedCount(count) }
}

/** Pages end where the count does: each further one would read all rows before it. */
function toWindow({ page, limit }: Page) {
  const offset = (page - 1) * limit
  return offset < COUNT_MAX ? { limit, offset } : refuse('LOG_ROWS_MAX', { limit: COUNT_MAX })
}
