import type { MiddlewareHandler } from 'hono'
import { listedHost } from '#domain/site/brand.ts'
import type { HonoEnv } from './context.ts'

/** Of every answer; files that the platform serves without the Worker get the same from web/public/_headers. */
export const SECURITY_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), ' +
    'magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

const EVERYWHERE = Object.entries(SECURITY_HEADERS)

/** HSTS of a host. What a customer serves below its callback domain is none of ours, so that only listed hosts bind theirs. */
const toHsts = (hostname: string): string =>
  listedHost(hostname) === null ? 'max-age=31536000' : 'max-age=31536000; includeSubDomains'

/** Policy of responses other than pages: they load and run nothing, should a browser ever show one. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every response, API and console. Responses without a `cache-control` get `no-store`. */
export const answerHeaders: MiddlewareHandler<HonoEnv> = async (c, next) => {
  c.set('requestId', c.req.header('cf-ray') ?? crypto.randomUUID())
  await next()
  if (c.res.status === 101) return
  const { headers } = c.res // changed in place: c.header() would copy the finished response each time
  headers.set('x-request-id', c.get('requestId'))
  for (const [name, value] of EVERYWHERE) headers.set(name, value)
  if (c.env.ENVIRONMENT !== 'local')
    // which has no certificate
    headers.set('strict-transport-security', toHsts(new URL(c.req.url).hostname))
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', DATA_POLICY)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
