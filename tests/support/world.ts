import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import type { LiveHubs } from '../../worker/http/context.ts'
import { createApp } from '../../worker/app.ts'
import type { Endpoint, Extra, Input, Output } from '../../worker/contract/endpoint.ts'
import { ERRORS, type ErrorKey, type Violation, messageOf, violation } from '../../worker/contract/errors.ts'
import type { ServiceKind } from '../../worker/contract/limits.ts'
import { PERMISSIONS, type Permission } from '../../worker/contract/permissions.ts'
import { type Db, driverOf, openDb } from '../../worker/db/client.ts'
import type { Driver } from '../../worker/db/driver.ts'
import { accounts, ramAccounts, ramRoles, services, sessions } from '../../worker/db/schema/accounts.ts'
import { hashPassword } from '../../worker/security/password.ts'
import { newHubName } from '../../worker/security/hub-name.ts'
import { randomHex } from '../../worker/security/secrets.ts'
import { signAccessToken } from '../../worker/security/tokens.ts'
import type { Session } from '../../worker/contract/session.ts'
import { outsideOf } from '../../worker/outside/adapters.ts'
import type { Outside } from '../../worker/contract/outside.ts'
import { encodeInput } from '../../web/lib/encode-input.ts'
import { fakeHubs } from './fake-hubs.ts'

/** The password of every account made here. */
export const PASSWORD = 'Netloom26'
let passwordHash: Promise<string> | undefined

export const db: Db = openDb(driverOf(env))

/** A name no other test has. */
export const unique = (prefix = 'user'): string => `${prefix}${randomHex(4)}`

export interface Answer<T> {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly reason?: ErrorKey
  readonly data: T
  readonly count?: number
  readonly request_id?: string
  /** Round trips to the database. */
  readonly trips: number
  readonly headers: Headers
}

export interface Sent {
  readonly token?: string | undefined
  readonly ip?: string
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Call = <E extends Endpoint>(
  spec: E,
  input: Input<E>,
  sent?: Sent | string,
) => Promise<Answer<Output<E>> & Extra<E>>

interface Parts {
  readonly env?: Partial<Env>
  readonly hubs?: LiveHubs
  readonly outside?: (env: Env) => Outside
  /** Happens right behind the first round trip, so that what a use case has read is old by then. */
  readonly afterFirstTrip?: () => PromiseLike<unknown>
}

/**
 * The whole Worker with some parts replaced: `request` is its fetch (by path, or `//host/path`), `call` one endpoint of the contract. Both return
 * after the work that goes on behind the answer (`ctx.waitUntil`) has ended.
 */
export function aWorker(parts: Parts = {}) {
  const fake = fakeHubs()
  let trips = 0
  const driver = (bindings: Env): Driver => {
    const run = driverOf(bindings)
    return async (statements) => {
      const rows = await run(statements)
      if (trips++ === 0) await parts.afterFirstTrip?.()
      return rows
    }
  }
  const app = createApp({ hubs: () => parts.hubs ?? fake.hubs, outside: parts.outside ?? outsideOf, driver })
  const bindings: Env = { ...env, ...parts.env }

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const context = createExecutionContext()
    const response = await app.fetch(new Request(new URL(path, 'http://localhost'), init), bindings, context)
    await waitOnExecutionContext(context)
    return response
  }

  const call: Call = async <E extends Endpoint>(spec: E, input: Input<E>, sent: Sent | string = {}) => {
    const { token, ip, cookie, headers } = typeof sent === 'string' ? ({ token: sent } as Sent) : sent
    const operator = spec.access === 'operator'
    const bearer = token ?? (operator ? env.OPERATOR_TOKEN : undefined)
    const { query, body: encoded, contentType } = encodeInput(spec, input)
    const response = await request(`${operator ? '/ops/v1' : '/api/v1'}/${spec.path}${query}`, {
      method: spec.method,
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(ip && { 'cf-connecting-ip': ip }),
        ...(cookie && { cookie }),
        ...(contentType && { 'content-type': contentType }),
        ...headers,
      },
      ...(encoded !== undefined && { body: encoded }),
    })
    const body = await response.json<Omit<Answer<Output<E>> & Extra<E>, 'status' | 'trips' | 'headers'>>()
    return {
      ...body,
      status: response.status,
      trips: Number(response.headers.get('x-db-trips')),
      headers: response.headers,
    } as Answer<Output<E>> & Extra<E>
  }
  return { request, call, hubCalls: fake.calls }
}

const standard = aWorker()
/** The Worker as deployed, with hubs that only remember (`hubCalls`). */
export const { request, call, hubCalls } = standard

/** The code, sentence and key of a refusal, for `toMatchObject`, so that no test retypes a message. */
export function refusal(key: ErrorKey, params: Violation['params'] = {}) {
  return { code: ERRORS[key].code, msg: messageOf(violation(key, params)), reason: key }
}

export interface Caller {
  readonly accountId: number
  /** Name of the account's hub. */
  readonly hub: string
  /** Sign-in name: `name@suffix` of a sub-account. */
  readonly username: string
  readonly token: string
  readonly session: Session
  /** `call` with this caller's token. */
  readonly call: Call
}

export interface MainOver extends Partial<Omit<typeof accounts.$inferInsert, 'id'>> {
  /** Quantities of services that run now. */
  readonly services?: Partial<Record<ServiceKind, number>>
}

/** A main account that is signed in. */
export async function aMainAccount(
  _env: Env = env,
  { services: bought = {}, ...over }: MainOver = {},
): Promise<Caller> {
  const username = over.username ?? unique()
  const hub = over.hub ?? newHubName('default')
  const [row] = await db
    .insert(accounts)
    .values({
      username,
      nickname: '测试账号',
      password: await (passwordHash ??= hashPassword(PASSWORD)),
      ramDomain: unique('d'),
      createdAt: Date.now(),
      ...over,
      hub,
    })
    .returning({ id: accounts.id })
  const accountId = row!.id
  for (const [kind, quantity] of Object.entries(bought)) await aService(accountId, kind as ServiceKind, quantity)
  const grants = { kind: 'main', flags: PERMISSIONS, networks: null } as const
  return { ...(await signedIn({ accountId, ramId: null, username, grants })), hub }
}

/** A service that runs now, for a day to either side unless told otherwise. */
export async function aService(
  accountId: number,
  kind: ServiceKind,
  quantity: number,
  over: Partial<typeof services.$inferInsert> = {},
): Promise<void> {
  const day = 86_400_000
  const [startAt, expireAt] = [Date.now() - day, Date.now() + day]
  await db.insert(services).values({ accountId, kind, name: `标准服务 ${kind}`, quantity, startAt, expireAt, ...over })
}

export interface SubOver {
  readonly flags?: readonly Permission[]
  /** Network numbers the role is limited to; null for all. */
  readonly networks?: readonly string[] | null
  readonly username?: string
}

/** A sub-account of that main account, signed in; it holds no flag unless told otherwise. */
export async function aSubAccount(
  main: Pick<Caller, 'accountId' | 'hub'>,
  over: SubOver = {},
): Promise<Caller & { ramId: number }> {
  const { flags = [], networks = null, username = unique('ram') } = over
  const { accountId } = main
  const now = Date.now()
  const [role] = await db
    .insert(ramRoles)
    .values({
      accountId,
      name: unique('role'),
      flags: JSON.stringify(flags),
      networks: networks && JSON.stringify(networks),
      createdAt: now,
      updatedAt: now,
    })
    .returning({ id: ramRoles.id })
  const password = await (passwordHash ??= hashPassword(PASSWORD))
  const [ram] = await db
    .insert(ramAccounts)
    .values({ accountId, roleId: role!.id, username, nickname: '测试子账号', password, createdAt: now })
    .returning({ id: ramAccounts.id })
  const [owner] = await db.select({ domain: accounts.ramDomain }).from(accounts).where(eq(accounts.id, accountId))
  const loginName = `${username}@${owner!.domain}`
  const caller = await signedIn({
    accountId,
    ramId: ram!.id,
    username: loginName,
    grants: { kind: 'ram', flags, networks },
  })
  return { ...caller, hub: main.hub, ramId: ram!.id }
}

/** A second session of whoever this is. */
export async function signedIn(who: Omit<Session, 'id' | 'version'>): Promise<Omit<Caller, 'hub'>> {
  const now = Date.now()
  const session: Session = { ...who, id: randomHex(12), version: 1 }
  await db.insert(sessions).values({
    id: session.id,
    accountId: who.accountId,
    ramId: who.ramId,
    refreshHash: randomHex(32),
    rotatedAt: now,
    ip: '127.0.0.1',
    userAgent: 'test',
    createdAt: now,
    expiresAt: now + 86_400_000,
  })
  const token = await signAccessToken(env.JWT_KEYS, session, now)
  return {
    accountId: who.accountId,
    username: who.username,
    token,
    session,
    call: (spec, input, sent = {}) =>
      standard.call(spec, input, { token, ...(typeof sent === 'string' ? { token: sent } : sent) }),
  }
}
