import type { Context, MiddlewareHandler } from 'hono'
import { violation } from '../contract/errors.ts'
import type { HonoEnv } from './context.ts'
import { refusal } from './errors.ts'

/** False for a request that a page of another site made. Only browsers send Origin, with each POST and each upgrade. */
export function isSameOrigin(c: Context<HonoEnv>): boolean {
  const origin = c.req.header('origin')
  return origin === undefined || URL.parse(origin)?.host === (c.req.header('host') ?? new URL(c.req.url).host)
}

/** SameSite keeps the cookie from other sites, but not an answer to them, when they send the whole tab there, from taking it away. */
export const ownPagesOnly: MiddlewareHandler<HonoEnv> = async (c, next) =>
  c.req.method === 'POST' && !isSameOrigin(c) ? refusal(c, violation('PERMISSION_DENIED')) : next()
