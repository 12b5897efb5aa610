import type { Context } from 'hono'
import { Refusal, toMessage } from '#contract/kernel/errors.ts'
import { RESULT, violation } from '#contract/kernel/result.ts'
import { parseGuardFailure } from '#db/guard.ts'
import { type PlainPage, renderPlainPage, escapeHtml } from '#domain/site/plain-page.ts'
import { randomToken } from '#security/secrets.ts'
import type { HonoEnv } from './context.ts'
import { logFault } from './request-log.ts'

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
