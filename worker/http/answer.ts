import type { MiddlewareHandler, Context } from 'hono'
import { Refusal, toMessage } from '#contract/kernel/errors.ts'
import { RESULT, violation } from '#contract/kernel/result.ts'
import { parseGuardFailure } from '#db/guard.ts'
import { listedHost } from '#domain/site/brand.ts'
import { type PlainPage, renderPlainPage, escapeHtml } from '#domain/site/plain-page.ts'
import { randomToken } from '#security/secrets.ts'
import type { HonoEnv } from './context.ts'
import { logFault } from './request-log.ts'

/* Answers of the Worker: security headers of every answer, plain pages, failures as pages. */

/** Headers of every answer. Files that the platform serves without the Worker get them from web/public/_headers. */
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

/** HSTS of a host. Only listed hosts bind their subdomains: those of a callback domain belong to a customer. */
const toHsts = (hostname: string): string =>
  listedHost(hostname) === null ? 'max-age=31536000' : 'max-age=31536000; includeSubDomains'

/** Policy of answers other than pages: a browser that shows one loads and runs nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every response, API and console. Responses without a `cache-control` get `no-store`. */
export const answerHeaders: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const ray = c.env.ENVIRONMENT === 'local' ? undefined : c.req.header('cf-ray') // a local caller may send any
  c.set('requestId', ray ?? crypto.randomUUID())
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

/** Answers a page. Its content security policy allows no loads and no scripts, and forms post to this host only. */
export function answerPage(c: Context<HonoEnv>, page: PlainPage, status: 200 | 404 | 500 = 200): Response {
  const nonce = randomToken(16)
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  c.header('content-security-policy', policy.join('; '))
  c.header('cache-control', 'no-store')
  c.set('code', status === 200 ? RESULT.ok : status)
  return c.html(renderPlainPage(page, nonce), status)
}

/** Answers a failure as a page for a person in a browser, without the API's envelope. */
export function answerFailure(c: Context<HonoEnv>, title: string, thrown: unknown): Response {
  const error = parseGuardFailure(thrown)
  const isRefusal = error instanceof Refusal
  if (!isRefusal) logFault(c, error)
  const sentence = toMessage(isRefusal ? error.violation : violation('FAULT'))
  return answerPage(c, { title, body: `<p role="alert">${escapeHtml(sentence)}</p>` }, isRefusal ? 404 : 500)
}
