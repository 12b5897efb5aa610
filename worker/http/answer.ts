import type { MiddlewareHandler, Context } from 'hono'
import { Refusal, toMessage } from '#contract/kernel/errors.ts'
import { RESULT, violation } from '#contract/kernel/result.ts'
import { parseGuardFailure } from '#db/guard.ts'
import { listedHost } from '#domain/site/brand.ts'
import { type PlainPage, renderPlainPage, escapeHtml } from '#domain/site/plain-page.ts'
import { randomToken } from '#security/secrets.ts'
import type { HonoEnv } from './context.ts'
import { logFault } from './request-log.ts'

/* Answers: headers of all, and pages. */

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

/** Answers a page whose content security policy lets it load and run nothing, and post its forms to this host only. */
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

/** Answers a failure as a page: a person in a browser has no use for the API's envelope. */
export function answerFailure(c: Context<HonoEnv>, title: string, thrown: unknown): Response {
  const error = parseGuardFailure(thrown)
  const isRefusal = error instanceof Refusal
  if (!isRefusal) logFault(c, error)
  const sentence = toMessage(isRefusal ? error.violation : violation('FAULT'))
  return answerPage(c, { title, body: `<p role="alert">${escapeHtml(sentence)}</p>` }, isRefusal ? 404 : 500)
}
