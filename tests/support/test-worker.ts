import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import type { LiveHubs } from '#http/context.ts'
import { createApp } from '#worker/app.ts'
import type { Endpoint, Extra, Input, Output } from '#contract/kernel/endpoint.ts'
import { ERRORS, type ErrorKey, toMessage } from '#contract/kernel/errors.ts'
import { isOperatorAccess } from '#contract/kernel/permissions.ts'
import { RESULT, type Violation, violation } from '#contract/kernel/result.ts'
import { type Db, createDriver, openDb } from '#db/client.ts'
import type { Driver, DriverOptions } from '#db/driver.ts'
import { createOutside } from '#outside/adapters.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import type { Passwords } from '#contract/kernel/passwords.ts'
import type { StatusPort } from '#contract/kernel/status.ts'
import { encodeInput } from '#lib/call/encode-input.ts'
import { scopeProblem } from './account-scope.ts'
import { directPasswords } from './direct-passwords.ts'
import { fakeHubs } from './fake-hubs.ts'
import { NO_STATUS } from './fake-status.ts'
import { PLANNED } from './libsql-server/protocol.ts'

export const db: Db = openDb(createDriver(env))

export interface Answer<T> {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly reason?: ErrorKey
  readonly data: T
  readonly count?: number
  readonly request_id?: string
  /** Of an endpoint that answers with a file. */
  readonly bytes?: ArrayBuffer
  /** Round trips to the database, and those of them to a copy near the caller. */
  readonly trips: number
  readonly nearTrips: number
  readonly hubCalls: number
  readonly headers: Headers
}

export interface CallOptions {
  readonly token?: string | undefined
  readonly ip?: string
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Call = <E extends Endpoint>(
  spec: E,
  input: Input<E>,
  caller?: CallOptions | string,
) => Promise<Answer<Output<E>> & Extra<E>>

interface WorkerOptions {
  readonly env?: Partial<Env>
  readonly hubs?: LiveHubs | ((requestId: string) => LiveHubs)
  readonly outside?: (env: Env) => Outside
  readonly passwords?: (env: Env) => Passwords
  readonly status?: (env: Env) => StatusPort
  /** Runs right after the first round trip, so that what the use case has read is stale. */
  readonly afterFirstTrip?: () => PromiseLike<unknown>
  /** The connection to the database is lost at this round trip, before its transaction or once it has committed. */
  readonly lostAt?: { readonly trip: number; readonly is: 'before' | 'committed' }
  /** Happens when the answer is there; work behind it may go on. */
  readonly onAnswer?: () => void
}

/**
 * The whole Worker with some parts replaced: `request` is its fetch (by path, or `//host/path`), `call` one endpoint of the
 * contract. Both return after `ctx.waitUntil` work has ended. A write that names no account is a fault.
 */
export function createTestWorker(options: WorkerOptions = {}) {
  const fake = fakeHubs()
  let trips = 0
  const driver = (bindings: Env, given?: DriverOptions): Driver => {
    const run = createDriver(bindings, given)
    return async (statements) => {
      const problem = statements.map(scopeProblem).find((found) => found !== null)
      if (problem) throw new Error(problem)
      const lost = ++trips === options.lostAt?.trip && options.lostAt.is
      if (lost === 'before') throw new Error('Network connection lost.')
      const rows = await run(statements)
      if (lost) throw new Error('Network connection lost.')
      if (trips === 1) await options.afterFirstTrip?.()
      return rows
    }
  }
  const { hubs = fake.hubs } = options
  const hubsFor = (_: Env, requestId: string) => (typeof hubs === 'function' ? hubs(requestId) : hubs)
  const direct = directPasswords()
  const app = createApp({
    hubs: hubsFor,
    outside: options.outside ?? createOutside,
    passwords: options.passwords ?? (() => direct.passwords),
    status: options.status ?? (() => NO_STATUS),
    driver,
  })
  const bindings: Env = { ...env, ...(env.LIBSQL_URL && { LIBSQL_URL: `${env.LIBSQL_URL}${PLANNED}` }), ...options.env }

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const context = createExecutionContext()
    const response = await app.fetch(new Request(new URL(path, 'http://localhost'), init), bindings, context)
    options.onAnswer?.()
    await waitOnExecutionContext(context)
    return response
  }

  const call: Call = async <E extends Endpoint>(spec: E, input: Input<E>, caller: CallOptions | string = {}) => {
    const { token, ip, cookie, headers } = typeof caller === 'string' ? ({ token: caller } as CallOptions) : caller
    const operator = isOperatorAccess(spec.access)
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
    const isFile = response.headers.has('content-disposition')
    const body = isFile
      ? { code: RESULT.ok, msg: '', data: null, bytes: await response.arrayBuffer() }
      : await response.json<
          Omit<Answer<Output<E>> & Extra<E>, 'status' | 'trips' | 'nearTrips' | 'hubCalls' | 'headers'>
        >()
    return {
      ...body,
      status: response.status,
      trips: Number(response.headers.get('x-db-trips')),
      nearTrips: Number(response.headers.get('x-near-trips')),
      hubCalls: Number(response.headers.get('x-hub-calls')),
      headers: response.headers,
    } as unknown as Answer<Output<E>> & Extra<E>
  }
  return { request, call, hubCalls: fake.calls, hashes: direct.hashes, countTrips: () => trips }
}

const standard = createTestWorker()

/** The Worker as deployed, with fake hubs that record calls (`hubCalls`), and passwords hashed at once (`hashes`). */
export const { request, call, hubCalls, hashes } = standard

/** The code, sentence and key of a refusal, for `toMatchObject`, so that no test retypes a message. */
export function refusal(key: ErrorKey, params: Violation['params'] = {}) {
  return { code: ERRORS[key].code, msg: toMessage(violation(key, params)), reason: key }
}
