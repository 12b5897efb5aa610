import type { MiddlewareHandler } from 'hono'
import { AUTH_CALLBACK_PATH, AUTH_CONFIRM_PATH, SOURCE_PAGE_PATH } from '#contract/auth-source/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import { selectOwnDomain } from './sql.ts'
import { createDriver, openDb } from '#db/client.ts'
import { listedHost } from '#domain/site/brand.ts'
import type { HonoEnv } from '#http/context.ts'
import { refusal } from '#http/errors.ts'
import type { AppDeps } from '#http/request-context.ts'

/* Middleware for customers' own domains (callbacks of WeCom), which must not serve the console. */

const KNOWN_MS = 5_000
const KNOWN_MAX = 1_000

interface CachedDomain {
  readonly domain: { readonly fileName: string; readonly fileContent: string } | null
  readonly until: number
}

/**
 * A customer's callback domain serves WeCom's file, the callback and the downloads of a source ID, and nothing else: no
 * console, no API. The row of an unlisted host is cached for five seconds, so that not every request costs a read.
 */
export function ownDomainOnly({ driver = createDriver }: Pick<AppDeps, 'driver'>): MiddlewareHandler<HonoEnv> {
  const hosts = new Map<string, CachedDomain>()
  return async (c, next) => {
    const url = new URL(c.req.url)
    const hostname = url.hostname.toLowerCase().replace(/\.$/, '')
    if (listedHost(hostname) !== null) return next()
    const now = Date.now()
    let known = hosts.get(hostname)
    if (!known || known.until <= now) {
      const [domain = null] = await selectOwnDomain(openDb(driver(c.env)), hostname)
      if (hosts.size >= KNOWN_MAX) hosts.clear()
      known = { domain, until: now + KNOWN_MS }
      hosts.set(hostname, known)
    }
    if (known.domain === null) return next()
    const { fileName, fileContent } = known.domain
    if (url.pathname === `/${fileName}` && (c.req.method === 'GET' || c.req.method === 'HEAD'))
      return c.text(fileContent)
    const isServed =
      url.pathname === AUTH_CALLBACK_PATH ||
      url.pathname === AUTH_CONFIRM_PATH ||
      url.pathname.startsWith(SOURCE_PAGE_PATH)
    return isServed ? next() : refusal(c, violation('PATH_UNKNOWN'))
  }
}
