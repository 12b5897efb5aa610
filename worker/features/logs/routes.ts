import { Hono } from 'hono'
import { LOG_RANGE_MS } from '../../contract/limits.ts'
import { logsApi } from '../../contract/logs.ts'
import { paged } from '../../db/paged.ts'
import { type HonoEnv, requireAccountId, requireSession } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { selectDials, selectSoftwareLogins } from './queries.ts'

export const logsRoutes = new Hono<HonoEnv>()

interface SentRange {
  readonly start_time: number | undefined
  readonly end_time: number | undefined
}

/** The last seven days unless a range is given (network 9). */
function toRange(now: number, { start_time, end_time = now }: SentRange) {
  return { from: start_time ?? end_time - LOG_RANGE_MS, to: end_time }
}

mount(logsRoutes, logsApi, {
  softwareLogin: (ctx, { page, limit, search, router_name, ...sent }) => {
    const filter = { search, router_name, ...toRange(ctx.now, sent) }
    return paged(ctx.db, selectSoftwareLogins(ctx.db, requireAccountId(ctx), filter).$dynamic(), { page, limit })
  },
  online: (ctx, { page, limit, search, router_name, mode, ...sent }) => {
    const filter = { search, router_name, mode, now: ctx.now, ...toRange(ctx.now, sent) }
    return paged(ctx.db, selectDials(ctx.db, requireSession(ctx), filter).$dynamic(), { page, limit })
  },
})
