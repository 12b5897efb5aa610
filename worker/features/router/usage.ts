import type { Parsed } from '#contract/kernel/endpoint.ts'
import { paged } from '#db/paged.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectUsage } from './sql/usage.ts'
import { LOG_RANGE_MS } from '#contract/logs/limits.ts'
import type { routerApi } from '#contract/router/index.ts'

/** Usage of the dials that began in the range, as their list shows them; most traffic first. */
export function listUsage(ctx: Ctx, input: Parsed<(typeof routerApi)['usage']>) {
  const { page, limit, search, router_name, start_time, end_time = ctx.now } = input
  const filter = { search, router_name, from: start_time ?? end_time - LOG_RANGE_MS, to: end_time }
  return paged(ctx.db, selectUsage(ctx.db, requireSession(ctx), filter).$dynamic(), { page, limit })
}
