import { refuse } from '#contract/kernel/errors.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import type { logsApi } from '#contract/logs/index.ts'
import { batch } from '#db/batch.ts'
import { type Page, selectCountUpTo, toCappedCount } from '#db/paged.ts'
import { toAuditRow } from '#domain/logs/audit-difference.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { toAuditFilter, toLogFilter, toOnlineFilter } from './filters.ts'
import {
  auditFloor,
  auditRows,
  connectionFloor,
  connectionRows,
  isAuditSearch,
  isLogSearch,
  loginFloor,
  loginRows,
  selectAudit,
  selectConnectionLog,
  selectLogins,
} from './sql/logs.ts'
import { countOnline, onlineFloor, selectOnlinePage } from './sql/online.ts'
import { selectFloor, toSearchedFrom } from './sql/search-bound.ts'

export async function listLogins(ctx: Ctx, input: Parsed<typeof logsApi.softwareLogin>) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const [filter, { limit, offset }] = [toLogFilter(ctx.now, input), toWindow(input)]
  const { data, count, floor } = await batch(db, {
    data: selectLogins(db, scope, filter).limit(limit).offset(offset),
    count: selectCountUpTo(db, loginRows(db, scope, filter), COUNT_MAX),
    floor: selectFloor(db, loginFloor(scope, filter), isLogSearch(scope, filter)),
  })
  return { data, ...toCappedCount(count), ...toSearchedFrom(floor) }
}

export async function listConnections(ctx: Ctx, input: Parsed<typeof logsApi.connect>) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const [filter, { limit, offset }] = [toLogFilter(ctx.now, input), toWindow(input)]
  const { data, count, floor } = await batch(db, {
    data: selectConnectionLog(db, scope, filter).limit(limit).offset(offset),
    count: selectCountUpTo(db, connectionRows(db, scope, filter), COUNT_MAX),
    floor: selectFloor(db, connectionFloor(scope, filter), isLogSearch(scope, filter)),
  })
  return { data, ...toCappedCount(count), ...toSearchedFrom(floor) }
}

export async function listOnline(ctx: Ctx, input: Parsed<typeof logsApi.online>) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const filter = toOnlineFilter(ctx.now, input)
  const { began, lasted, count, floor } = await batch(db, {
    ...selectOnlinePage(db, scope, filter, toWindow(input)),
    count: countOnline(db, scope, filter, COUNT_MAX),
    floor: selectFloor(db, onlineFloor(scope, filter), isLogSearch(scope, filter)),
  })
  return { data: [...began, ...lasted], ...toCappedCount(count), ...toSearchedFrom(floor) }
}

export async function listAudit(ctx: Ctx, input: Parsed<typeof logsApi.audit>) {
  const { db } = ctx
  const accountId = requireAccountId(ctx)
  const [filter, { limit, offset }] = [toAuditFilter(ctx.now, input), toWindow(input)]
  const { rows, count, floor } = await batch(db, {
    rows: selectAudit(db, accountId, filter).limit(limit).offset(offset),
    count: selectCountUpTo(db, auditRows(accountId, filter), COUNT_MAX),
    floor: selectFloor(db, auditFloor(accountId, filter), isAuditSearch(filter)),
  })
  return { data: rows.map(toAuditRow), ...toCappedCount(count), ...toSearchedFrom(floor) }
}

/** Pages end where the count does: each further one would read all rows before it. */
function toWindow({ page, limit }: Page) {
  const offset = (page - 1) * limit
  return offset < COUNT_MAX ? { limit, offset } : refuse('LOG_ROWS_MAX', { limit: COUNT_MAX })
}
