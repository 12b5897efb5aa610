import type { Context, MiddlewareHandler } from 'hono'
import { AUTH_CALLBACK_PATH, AUTH_CONFIRM_PATH, SOURCE_PAGE_PATH } from '#contract/auth-source/limits.ts'
import { CALL_LIMIT } from '#contract/kernel/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import { selectOwnDomain } from './sql.ts'
import { createDriver, openDb } from '#db/client.ts'
import { limitBlock } from '#domain/login/address-block.ts'
import { listedHost } from '#domain/site/brand.ts'
import { countCall } from '#http/call-limit.ts'
import type { HonoEnv } from '#http/context.ts'
import { refusal } from '#http/errors.ts'
import { type AppDeps, readClientAddress } from '#http/request-context.ts'

/* Middleware for customers' own domains (callbacks of WeCom), which must not serve the console. */

const KNOWN_MS = 5_000
const KNOWN_MAX = 1_000
/** Devices prove themselves by their key, at whatever host: their connects ask no database. */
const DEVICE_PATH = '/device/'

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

  /** The cached row of a host; null if it is not known, and may not be read now. */
  const lookUp = async (c: Context<HonoEnv>, hostname: string): Promise<CachedDomain | null> => {
    const now = Date.now()
    const known = hosts.get(hostname)
    if (known && known.until > now) return known
    // Made-up names count for their address block. Beyond its limit, what was known of a host is still good.
    const isWithin = known?.domain || (await countCall(c.env, 'host', limitBlock(readClientAddress(c)))) !== false
    if (!isWithin) return known ?? null
    const [domain = null] = await selectOwnDomain(openDb(driver(c.env)), hostname)
    const found = { domain, until: now + KNOWN_MS }
    hosts.delete(hostname) // to the end: the first one was read longest ago
    hosts.set(hostname, found)
    const [oldest] = hosts.keys()
    if (hosts.size > KNOWN_MAX && oldest !== undefined) hosts.delete(oldest)
    return found
  }

  return async (c, next) => {
    const url = new URL(c.req.url)
    const hostname = url.hostname.toLowerCase().replace(/\.$/, '')
    if (listedHost(hostname) !== null || url.pathname.startsWith(DEVICE_PATH)) return next()
    const known = await lookUp(c, hostname)
    if (known === null) return refusal(c, violation('ADDRESS_BUSY', { retry_after: CALL_LIMIT.retryAfterS }))
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
