import type { MiddlewareHandler } from 'hono'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { count } from '#db/counters.ts'
import type { HonoEnv } from './context.ts'
import type { AppDeps } from './request-context.ts'

/* Counters of calls and of their answers, which the isolate reports to the StatusHub. */

/** Counts a call, and sends a report behind the answer if one is due. */
export const countedCalls =
  ({ status }: Pick<AppDeps, 'status'>): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    await next()
    countAnswer(c.res.status, c.get('reason'), c.req.path)
    const report = status(c.env, c.get('requestId')).report()
    if (report) c.executionCtx.waitUntil(report)
  }

/** A device that has to wait gets a socket that closes, so that the reason is asked before the status. */
function countAnswer(status: number, reason: ErrorKey | undefined, path: string): void {
  count('calls')
  if (reason === 'OVERLOADED') return count('overloads')
  if (status >= 500 && reason !== 'DEVICES_HELD') return count('faults')
  if (reason !== undefined) {
    count('refusals')
    return count(`refused ${reason}`)
  }
  if (status === 101 && path.startsWith('/device/')) count('connects')
}
