import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { Refusal } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { AFTER_ANSWER_MS } from '#contract/kernel/limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import type { Passwords } from '#contract/kernel/passwords.ts'
import type { StatusPort } from '#contract/kernel/status.ts'
import { createDriver, openCheckedDb, openDb } from '#db/client.ts'
import type { Driver, DriverOptions, Statement } from '#db/driver.ts'
import { clientStatement, sessionStatement } from '#db/guard.ts'
import { deliverWrite, readAccountHub } from '#db/hub-outbox.ts'
import { pause } from '#db/concurrency.ts'
import { UNLISTED_HOST, listedHost } from '#domain/site/brand.ts'
import { writeBudgetStatements } from '#db/rate-limit.ts'
import { personKey } from '#domain/account/user.ts'
import { addressBlock, limitBlock, regionBlock, wideAddressBlock } from '#domain/login/address-block.ts'
import { countCall } from './call-limit.ts'
import { checked, checkedHubs, checkedOutside } from './checked-calls.ts'
import type { Ctx, HonoEnv, LiveHubs } from './context.ts'
import { answeringHubs } from './hub-answers.ts'
import { faultText, log } from './log.ts'
import { nameBookmark, requestDriver } from './near-reads.ts'
import { drainUnread } from './unread-body.ts'
import { isClientToken, readClientToken } from '#security/client-tokens.ts'
import { readAccessToken } from '#security/tokens.ts'

/* Middleware that reads the caller and builds the context of a request. */

export interface AppDeps {
  hubs(env: Env, requestId: string): LiveHubs
  outside(env: Env): Outside
  passwords(env: Env): Passwords
  status(env: Env, requestId: string): StatusPort
  /** Driver of the database; by default the one that the environment names. */
  driver?(env: Env, options?: DriverOptions): Driver
}

/** Reads the caller and builds the context. The first round trip to the database checks the session row. */
export function requestContext(deps: AppDeps): MiddlewareHandler<HonoEnv> {
  return async (c, next) => {
    const now = Date.now()
    const bearer = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1]
    const { fault, ...caller } = await readCaller(c.env.JWT_KEYS, bearer, now)
    c.set('tokenFault', fault)
    startCounts(c)
    const { session } = caller
    const account = (hub: HubName) => deps.hubs(c.env, c.get('requestId')).account(hub)
    const open = (options: DriverOptions) => (deps.driver ?? createDriver)(c.env, options)
    c.set('ctx', build(c, deps, caller, now, requestDriver(c, { session, open, account })))
    await next()
    await drainUnread(c)
    deliverHubOutbox(c, deps)
    nameBookmark(c)
    nameCounts(c)
  }
}

function startCounts(c: Context<HonoEnv>): void {
  c.set('trips', 0)
  c.set('nearTrips', 0)
  c.set('hubCalls', 0)
}

/** Adds the numbers of database calls, of those to a copy, and of hub calls to the answer of a local run. */
function nameCounts(c: Context<HonoEnv>): void {
  if (c.env.ENVIRONMENT !== 'local' || c.res.status === 101) return // headers of a hub's own answer are immutable
  c.res.headers.set('x-db-trips', String(c.get('trips')))
  c.res.headers.set('x-near-trips', String(c.get('nearTrips')))
  c.res.headers.set('x-hub-calls', String(c.get('hubCalls')))
}

type Caller = Pick<Ctx, 'session' | 'client'>
const NOBODY: Caller = { session: null, client: null }

/** Reads the caller. An invalid token fails only if a session is required: sign-in must work with a stale token. */
async function readCaller(
  keys: string,
  bearer: string | undefined,
  now: number,
): Promise<Caller & { readonly fault: Violation }> {
  const none = violation('TOKEN_BAD')
  if (!bearer) return { ...NOBODY, fault: none }
  try {
    return isClientToken(bearer)
      ? { ...NOBODY, client: await readClientToken(keys, bearer, now), fault: none }
      : { ...NOBODY, session: await readAccessToken(keys, bearer, now), fault: none }
  } catch (error) {
    if (error instanceof Refusal) return { ...NOBODY, fault: error.violation }
    throw error
  }
}

/**
 * The same for endpoints of the operator and of devices, which have no session. They read the primary: a device that a
 * replica does not know yet would be refused, and its row counted as missing.
 */
export function anonymousContext(deps: AppDeps): MiddlewareHandler<HonoEnv> {
  return async (c, next) => {
    startCounts(c)
    const driver = (deps.driver ?? createDriver)(c.env, { isPrimaryOnly: true })
    c.set('ctx', build(c, deps, NOBODY, Date.now(), driver))
    await next()
    await drainUnread(c)
    deliverHubOutbox(c, deps)
    nameCounts(c)
  }
}

/** Calls the hubs of committed entries after the answer, also if the call was refused after its batch. */
function deliverHubOutbox(c: Context<HonoEnv>, { hubs, driver = createDriver }: AppDeps): void {
  const { session, hubOutbox, waitUntil, requestId } = c.get('ctx')
  if (hubOutbox.length === 0) return
  const db = openDb(driver(c.env))
  const accountHub = async () => (session ? readAccountHub(db, session.accountId) : undefined)
  waitUntil(deliverWrite(db, hubs(c.env, requestId), accountHub, hubOutbox))
}

function build(c: Context<HonoEnv>, deps: AppDeps, caller: Caller, now: number, driver: Driver): Ctx {
  const requestId = c.get('requestId')
  const { db, passCheck } = openCheckedDb(driver, {
    onTrip: () => c.set('trips', c.get('trips') + 1),
    check: () => {
      const check = c.get('isClosed') ? callerStatement(caller) : null
      if (!check) return [...(c.get('entryChecks') ?? [])]
      const id = caller.session?.id ?? caller.client?.id
      if (id === undefined || !c.get('isMetered')) return [check]
      const isBench = c.env.ENVIRONMENT === 'local' && c.env.BENCH_WRITES !== undefined
      const person = caller.session && !isBench ? personKey(caller.session) : null
      return [check, ...writeBudgetStatements(id, person, now)]
    },
  })
  const ip = readClientAddress(c)
  const logFault = (error: unknown) => log('error', 'wait_until', { requestId, error: faultText(error) })
  return {
    ...caller,
    operator: null,
    db,
    hubs: checkedHubs(
      answeringHubs(deps.hubs(c.env, requestId), () => c.set('hubCalls', c.get('hubCalls') + 1)),
      passCheck,
    ),
    outside: checkedOutside(deps.outside(c.env), passCheck),
    passwords: checked(deps.passwords(c.env), passCheck),
    status: deps.status(c.env, requestId),
    files: checked(c.env.FILES, passCheck),
    env: c.env,
    now,
    ip,
    ipBlock: addressBlock(ip),
    ipWideBlock: wideAddressBlock(ip),
    place: readPlace(c),
    ipRegion: regionBlock(ip),
    hostname: new URL(c.req.url).hostname,
    userAgent: (c.req.header('user-agent') ?? '').slice(0, 200),
    requestId,
    host: listedHost(new URL(c.req.url).hostname) ?? UNLISTED_HOST,
    countCall: (call, key = limitBlock(ip)) => countCall(c.env, call, key),
    hubOutbox: [],
    waitUntil: (work) => c.executionCtx.waitUntil(work.catch(logFault)),
    afterAnswer: (start) => c.executionCtx.waitUntil(pause(AFTER_ANSWER_MS).then(start).catch(logFault)),
    setCookie: (header) => c.header('set-cookie', header, { append: true }),
    cookies: getCookie(c),
  }
}

const callerStatement = ({ session, client }: Caller): Statement | null =>
  session ? sessionStatement(session.id, session.version) : client ? clientStatement(client.id) : null

const COUNTRY = new Intl.DisplayNames('zh-CN', { type: 'region', fallback: 'code' })

/** Country and city of the address, from the platform. Local runs have no place. */
function readPlace(c: Context<HonoEnv>): string {
  const { country, city } = (c.req.raw.cf ?? {}) as { country?: string; city?: string }
  if (c.env.ENVIRONMENT === 'local' || !country || !/^[A-Z]{2}$/.test(country)) return ''
  return [COUNTRY.of(country), city].filter(Boolean).join(' ').slice(0, 64)
}

/** Client address: from the platform's header, in local runs from the socket. */
export function readClientAddress(c: Context<HonoEnv>): string {
  const peer = (c.req.raw.cf as { clientIp?: string } | undefined)?.clientIp
  return c.req.header('cf-connecting-ip') ?? peer?.replace(/^\[?(.*?)\]?:\d+$/, '$1') ?? '127.0.0.1'
}
