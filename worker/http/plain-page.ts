import type { Context } from 'hono'
import { RESULT } from '../contract/result.ts'
import { type PlainPage, renderPlainPage } from '../domain/site/plain-page.ts'
import { randomToken } from '../security/secrets.ts'
import type { HonoEnv } from './context.ts'

/** A page that loads and runs nothing. Its forms go nowhere else. */
export function answerPage(c: Context<HonoEnv>, page: PlainPage, status: 200 | 404 = 200): Response {
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
  c.set('code', RESULT.ok)
  return c.html(renderPlainPage(page, nonce), status)
}
