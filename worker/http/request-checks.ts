import type { MiddlewareHandler, Context } from 'hono'
import { violation } from '#contract/kernel/result.ts'
import { isLocalName } from '#domain/site/brand.ts'
import type { HonoEnv } from './context.ts'
import { refusal } from './errors.ts'

/* Checks of address and origin, which refuse a request before anything is read. */

/** Name or address with an optional port. Without the platform in front, `Host` may be any text. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

/**
 * Refuses a malformed address, such as `GET *`. A local run answers only to the names of this machine: a site that binds
 * its name to 127.0.0.1 could read the codes in the outbox.
 */
export const checkedAddress: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const host = c.req.header('host')
  const url = URL.parse(c.req.url)
  if (!url || (host !== undefined && !HOST.test(host))) return refusal(c, violation('ADDRESS_MALFORMED'))
  const isClosed = c.env.ENVIRONMENT === 'local' && !c.env.OPEN_TO_OTHERS
  if (isClosed && !LOOPBACK.test(url.hostname) && !isLocalName(url.hostname))
    return refusal(c, violation('HOST_NOT_LOCAL'))
  return next()
}

/** False for a request from a page of another site. Only browsers send Origin, with each POST and each upgrade. */
export function isSameOrigin(c: Context<HonoEnv>): boolean {
  const origin = c.req.header('origin')
  return origin === undefined || URL.parse(origin)?.host === (c.req.header('host') ?? new URL(c.req.url).host)
}

/** Refuses cross-origin POSTs: a form POST sends no SameSite cookie, but its reply could clear one (`Set-Cookie`). */
export const ownPagesOnly: MiddlewareHandler<HonoEnv> = async (c, next) =>
  c.req.method === 'POST' && !isSameOrigin(c) ? refusal(c, violation('ORIGIN_FOREIGN')) : next()

/** With OPS_HOST set, the operator's paths are unknown at every other host. */
export const operatorHostOnly: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const { OPS_HOST: host = '' } = c.env
  const isOpen = host === '' || new URL(c.req.url).hostname === host.toLowerCase()
  return isOpen ? next() : refusal(c, violation('PATH_UNKNOWN'))
}
