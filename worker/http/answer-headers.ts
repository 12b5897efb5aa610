import type { MiddlewareHandler } from 'hono'
import type { HonoEnv } from './context.ts'

/** Headers of every response, API and console. Responses without a `cache-control` get `no-store`. */
export const answerHeaders: MiddlewareHandler<HonoEnv> = async (c, next) => {
  c.set('requestId', c.req.header('cf-ray') ?? crypto.randomUUID())
  await next()
  if (c.res.status === 101) return
  c.header('x-request-id', c.get('requestId'))
  c.header('x-content-type-options', 'nosniff')
  c.header('referrer-policy', 'no-referrer')
  if (c.env.ENVIRONMENT !== 'local') c.header('strict-transport-security', 'max-age=31536000')
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
}
