import type { AuditFilter, LogFilter, Range } from './sql/logs.ts'
import type { OnlineFilter } from './sql/online.ts'
import { LOG_RANGE_MS } from '#contract/logs/limits.ts'

interface Sent {
  readonly start_time: number | undefined
  readonly end_time: number | undefined
}
type Of<F extends Range> = Sent & Omit<F, keyof Range | 'now'>

/** The last seven days unless a range is given (network 9). */
function toRange(now: number, { start_time, end_time = now }: Sent): Range {
  return { from: start_time ?? end_time - LOG_RANGE_MS, to: end_time }
}

export const toLogFilter = (now: number, { search, router_name, ...sent }: Of<LogFilter>): LogFilter => ({
  search,
  router_name,
  ...toRange(now, sent),
})

export const toOnlineFilter = (now: number, { mode, ...sent }: Of<OnlineFilter>): OnlineFilter => ({
  ...toLogFilter(now, sent),
  mode,
  now,
})

export const toAuditFilter = (
  now: number,
  { search, actor_kind, actor, module, ...sent }: Of<AuditFilter>,
): AuditFilter => ({ search, actor_kind, actor, module, ...toRange(now, sent) })
