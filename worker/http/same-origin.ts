import type { Context, MiddlewareHandler } from 'hono'
import { violation } from '#contract/kernel/result.ts'
import type { HonoEnv } from './context.ts'
import { refusal } from './errors.ts'

/** False for a request that a page of another site made. Only browsers send Origin, with each POST and each upgrade. */
export function isSameOrigin(c: Context<HonoEnv>): boolean {
  const origin = c.req.header('origin')
  return origin === undefined || URL.parse(origin)?.host === (c.req.header('host') ?? new URL(c.req.url).host)
}

/** Rejects cross-origin POSTs: a top-level form POST carries no SameSite cookie, but its reply could clear it (`Set-Cookie`). */
export const ownPagesOnly: MiddlewareHandler<HonoEnv> = async (c, next) =>
  c.req.method === 'POST' && !isSameOrigin(c) ? refusal(c, violation('ORIGIN_FOREIGN')) : next()
