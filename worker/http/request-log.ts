import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'
import { addressBlock } from '#domain/login/address-block.ts'
import type { Ctx, HonoEnv } from './context.ts'
import { faultText, log } from './log.ts'
import { readClientAddress } from './request-context.ts'

/* Log lines of requests, faults and refusals. */

/** Logs one line per call. The platform's own line costs more and keeps the query. Local runs log only faults. */
export const requestLog: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const startedAt = Date.now()
  await next()
  if (c.env.ENVIRONMENT === 'local') return
  log('info', 'request', {
    ...toSubject(c),
    ms: Date.now() - startedAt,
    trips: c.get('trips'),
    near: c.get('nearTrips'),
    status: c.res.status,
    code: c.get('code'),
  })
}

/** Logs an unexpected error. The answer carries only the id of the request. */
export function logFault(c: Context<HonoEnv>, error: unknown): void {
  log('error', 'fault', { ...toSubject(c), error: faultText(error) })
}

/** Logged refusals: they reveal guesses or missing rights. Calls of the operator and of devices log every refusal. */
const LOGGED: ReadonlySet<ErrorKey> = new Set<ErrorKey>([
  'ACCOUNT_DISABLED',
  'AUTH_LOGIN_CROSSED',
  'AUTH_MEMBER_NONE',
  'AUTH_REQUEST_BAD',
  'CAPTCHA_WRONG',
  'CHALLENGE_WRONG',
  'CODE_SPENT',
  'CODE_WRONG',
  'HASHING_BUSY',
  'IMG_CODE_WRONG',
  'LINK_BAD',
  'LOGIN_FAILED',
  'LOGIN_PAUSED',
  'LOGIN_PASSWORD_PAUSED',
  'LOGIN_PASSWORD_WRONG',
  'LOGIN_TICKET_BAD',
  'LOGIN_TICKET_SPENT',
  'OLD_PASSWORD_WRONG',
  'ORIGIN_FOREIGN',
  'PASSWORD_PAUSED',
  'PERMISSION_DENIED',
  'RECOVERY_CODE_WRONG',
  'TOTP_CODE_WRONG',
  'TOTP_PAUSED',
  'WORK_REQUIRED',
])

/** Refusals of a whole fleet or a flood. The cron logs a line a minute of devices that are held. */
const UNLOGGED: ReadonlySet<ErrorKey> = new Set<ErrorKey>(['ADDRESS_BUSY', 'DEVICES_HELD', 'OVERLOADED'])

/** Parameter of SESSION_REVOKED for a refresh token that was used twice. It is logged; the end of a session is not. */
export const COPIED_TOKEN = { is_copied: 1 } as const

/** Logs caller and address of a refusal that concerns security, never the input. */
export function logRefusal(c: Context<HonoEnv>, { key, params }: Violation): void {
  const isCopied = key === 'SESSION_REVOKED' && params['is_copied'] === COPIED_TOKEN.is_copied
  if (!LOGGED.has(key) && !isCopied && !/^\/(ops|device)\//.test(c.req.path)) return
  if (c.env.ENVIRONMENT === 'local' || UNLOGGED.has(key)) return
  log('warn', 'refused', { ...toSubject(c), reason: key, address: addressBlock(readClientAddress(c)) })
}

function toSubject(c: Context<HonoEnv>) {
  const ctx = c.get('ctx') as Ctx | undefined // undefined if creating it failed
  return {
    requestId: c.get('requestId'),
    route: `${c.req.method} ${toRoutePattern(c)}`,
    accountId: ctx?.session?.accountId,
    operator: ctx?.operator?.name,
    release: c.env.CF_VERSION_METADATA?.id,
  }
}

/** The matched route pattern, never the URL, which may contain secrets. */
function toRoutePattern(c: Context<HonoEnv>): string {
  return matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'unknown'
}
