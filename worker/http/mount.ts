import { zValidator } from '@hono/zod-validator'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import {
  type BodyKind,
  type Endpoint,
  type Parsed,
  bodyKinds,
  doneSentence,
  maxBytes,
} from '#contract/kernel/endpoint.ts'
import { Refusal } from '#contract/kernel/errors.ts'
import { RESULT, violation } from '#contract/kernel/result.ts'
import { createInputSentence } from '#contract/kernel/input/input-sentence.ts'
import { OUTER_FIELD_NAMES } from '#contract/ops/field-names.ts'
import {
  type OperatorScope,
  includesScope,
  isAllowed,
  isOperatorAccess,
  scopeOf,
} from '#contract/kernel/permissions.ts'
import { runGuardsOnly } from '#db/guard.ts'
import { requireWithinLimit } from './call-limit.ts'
import type { Ctx, HonoEnv } from './context.ts'
import { refusal, inputViolation } from './errors.ts'
import { parseInput } from './input-issue.ts'
import { type FileReply, fileResponse } from './file-reply.ts'
import { nestFields } from './form-body.ts'
import { admitNearRead, leaveCopy } from './near-reads.ts'
import { streamLimit } from './stream-body.ts'

/* Mounting of endpoints: access, input, use case and envelope of each call. */

z.config({ customError: createInputSentence(OUTER_FIELD_NAMES) })

/** Result of a use case: nothing is also allowed if the contract says null. */
type Plain<T> = null extends T ? T | void : T
/** Result of a handler: a file, the data, or `{ data, …extra }` if the endpoint names fields beside `data`. */
type Result<E extends Endpoint> =
  E extends Endpoint<z.ZodType, infer O, infer X, infer R>
    ? R extends 'file'
      ? FileReply
      : keyof X extends never
        ? Plain<z.input<O>>
        : { readonly data: z.input<O> } & { readonly [K in keyof X]: z.input<X[K]> }
    : never

/** Use case. `c` serves the few answers that depend on the request itself (its host, cache headers). */
type Handler<E extends Endpoint> = (ctx: Ctx, input: Parsed<E>, c: Context<HonoEnv>) => Promise<Result<E>> | Result<E>
type Handlers<T extends Readonly<Record<string, Endpoint>>> = { readonly [K in keyof T]: Handler<T[K]> }

/** Mounts all endpoints of a noun. A missing or surplus handler does not compile. */
export function mount<T extends Readonly<Record<string, Endpoint>>>(
  app: Hono<HonoEnv>,
  api: T,
  handlers: Handlers<NoInfer<T>>,
): void {
  for (const key of Object.keys(api) as (keyof T & string)[]) {
    mountEndpoint(app, api[key] as Endpoint, handlers[key] as unknown as Handler<Endpoint>)
  }
}

function mountEndpoint(app: Hono<HonoEnv>, spec: Endpoint, handle: Handler<Endpoint>): void {
  const extra = spec.extra && z.object(spec.extra)
  const reply = async (c: Context<HonoEnv>, result: unknown, input: unknown): Promise<Response> => {
    c.set('code', RESULT.ok)
    if (spec.reply === 'file') return fileResponse(result as FileReply)
    const data = extra ? (result as { data: unknown }).data : result
    const output = spec.output.parse(data ?? null)
    return c.json({
      code: RESULT.ok,
      msg: doneSentence(spec, output, input),
      data: output,
      ...extra?.parse(result),
    })
  }
  app.on(
    spec.method,
    `/${spec.path}`,
    behindSession(async (c, next) => {
      checkAccess(spec, c)
      if (spec.limit !== undefined) await requireWithinLimit(c.get('ctx'), spec.limit)
      await next()
    }),
    behindSession(
      bodyKinds(spec)[0] === 'stream' ? streamLimit(maxBytes(spec)) : bodyLimit({ maxSize: maxBytes(spec) }),
    ),
    behindSession(validated(spec)),
    async (c) => {
      const ctx = c.get('ctx')
      const input = c.req.valid(toValidationTarget(spec, c) as never)
      const result = await runCurrent(c, () => runHandler(spec, handle, ctx, input, c))
      if (result instanceof Refusal) {
        await checkSession(c)
        return refusal(c, result.violation, extra?.partial().safeParse(result.violation.params).data)
      }
      if (c.get('isClosed') && c.get('trips') === 0) await runGuardsOnly(ctx.db) // runs the session check alone
      return reply(c, result, input)
    },
  )
}

/** Runs a handler again on the primary if it refused or failed by rows of a copy, which may lack what is asked for. */
async function runCurrent(c: Context<HonoEnv>, run: () => Promise<unknown>): Promise<unknown> {
  try {
    const result = await run()
    return result instanceof Refusal && leaveCopy(c) ? await run() : result
  } catch (error) {
    if (!leaveCopy(c)) throw error
    return run()
  }
}

/** Runs a handler and returns its refusal as a value: parameters that the endpoint names go beside `data`. */
async function runHandler(
  spec: Endpoint,
  handle: Handler<Endpoint>,
  ...[ctx, input, c]: Parameters<Handler<Endpoint>>
): Promise<unknown> {
  try {
    checkInputAccess(spec, ctx, input)
    return await handle(ctx, input, c)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function checkAccess(spec: Endpoint, c: Context<HonoEnv>): void {
  const { session, client, operator } = c.get('ctx')
  if (isOperatorAccess(spec.access)) return checkScope(spec.access, operator)
  c.set('isClosed', spec.access !== 'public')
  c.set('isMetered', spec.method === 'POST' && !spec.unmetered)
  admitNearRead(c, spec)
  if (spec.access === 'client' ? client !== null : isAllowed(spec.access, session?.grants ?? null)) return
  throw new Refusal(session ? violation('PERMISSION_DENIED') : c.get('tokenFault'))
}

/** Runs a check in front of the first round trip. An ended session is refused before anything else. */
const behindSession =
  (check: MiddlewareHandler<HonoEnv>): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    try {
      return await check(c, next)
    } catch (error) {
      await checkSession(c)
      throw error
    }
  }

/** Checks the session row of a call that is refused before any round trip. It costs no write of the budget. */
async function checkSession(c: Context<HonoEnv>): Promise<void> {
  const { session, client, db } = c.get('ctx')
  if (!c.get('isClosed') || c.get('trips') > 0 || (session ?? client) === null) return
  c.set('isMetered', false)
  await runGuardsOnly(db)
}

/** Checks the scope of an operator token; the mount has checked the token itself. */
function checkScope(access: `operator:${OperatorScope}`, operator: Ctx['operator']): void {
  if (operator && includesScope(operator.scope, scopeOf(access))) return
  throw new Refusal(violation('OPERATOR_SCOPE', { scope: scopeOf(access) }))
}

function checkInputAccess(spec: Endpoint, { session, operator }: Ctx, input: unknown): void {
  const needed = spec.accessOf?.(input)
  if (!needed) return
  const [first] = needed
  if (first && isOperatorAccess(first)) return checkScope(first, operator)
  if (!needed.some((access) => isAllowed(access, session?.grants ?? null))) {
    throw new Refusal(violation('PERMISSION_DENIED'))
  }
}

type ValidationTarget = 'query' | 'json' | 'form'
const TARGET: Readonly<Record<BodyKind, ValidationTarget>> = {
  query: 'query',
  json: 'json',
  form: 'form',
  multipart: 'form',
  stream: 'query',
}
const MEDIA_TYPE: Readonly<Partial<Record<string, BodyKind>>> = {
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
}

/** Target by content type. An unsupported type is read as the endpoint's first kind, and fails validation. */
function toValidationTarget(spec: Endpoint, c: Context<HonoEnv>): ValidationTarget {
  const kinds = bodyKinds(spec)
  const sent = MEDIA_TYPE[(c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''] ?? 'json'
  return TARGET[kinds.includes(sent) ? sent : kinds[0]]
}

function validated(spec: Endpoint): MiddlewareHandler<HonoEnv> {
  const check = (target: ValidationTarget): MiddlewareHandler<HonoEnv> =>
    zValidator(
      target,
      spec.input,
      (result) => {
        if (!result.success) throw new Refusal(inputViolation(result.error.issues[0]))
      },
      {
        validationFunction: (schema, value) =>
          parseInput(schema as z.ZodType, target === 'form' ? nestFields(value as Record<string, unknown>) : value),
      },
    ) as MiddlewareHandler<HonoEnv>
  const checks = { query: check('query'), json: check('json'), form: check('form') }
  return (c, next) => checks[toValidationTarget(spec, c)](c, next)
}
