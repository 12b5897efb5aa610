import { zValidator } from '@hono/zod-validator'
import type { Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { zhCN } from 'zod/locales'
import type { Endpoint } from '../contract/endpoint.ts'
import { CODE, ERRORS, type Violation, fieldOf, messageOf, violation, Refusal } from '../contract/errors.ts'
import { isAllowed } from '../contract/permissions.ts'
import { onlyGuards, parseGuardFailure } from '../db/guard.ts'
import type { Ctx, HonoEnv } from './context.ts'
import { faultText, log } from './log.ts'

// For rules without a sentence of their own.
z.config({
  ...zhCN(),
  customError: ({ code, input }) => (code === 'invalid_type' && input === undefined ? '必填项不能为空' : undefined),
})

interface Reply<T> {
  readonly data: T
  readonly msg?: string
  readonly count?: number
}

/** Mounts one endpoint of the contract: access, input, use case, envelope. */
export function route<I extends z.ZodType, O extends z.ZodType>(
  app: Hono<HonoEnv>,
  spec: Endpoint<I, O>,
  handle: (ctx: Ctx, input: z.output<I>) => Promise<Reply<z.input<O>>>,
): void {
  app.on(
    spec.method,
    `/${spec.path}`,
    async (c, next) => {
      checkAccess(spec, c)
      await next()
    },
    zValidator(spec.method === 'GET' ? 'query' : 'json', spec.input, (result) => {
      if (!result.success) throw new Refusal(inputViolation(result.error.issues[0]))
    }),
    async (c) => {
      const ctx = c.get('ctx')
      const input = c.req.valid((spec.method === 'GET' ? 'query' : 'json') as never) as z.output<I>
      const { data, msg = '', count } = await handle(ctx, input)
      if (c.get('isClosed') && c.get('trips') === 0) await onlyGuards(ctx.db) // nothing read: check the session all the same
      return c.json({ code: CODE.ok, msg, data: spec.output.parse(data), count })
    },
  )
}

function checkAccess(spec: Endpoint, c: Context<HonoEnv>): void {
  if (spec.access === 'operator') return // the mount checks the operator's token
  const { session } = c.get('ctx')
  c.set('isClosed', spec.access !== 'public')
  if (isAllowed(spec.access, session?.grants ?? null)) return
  throw new Refusal(session ? violation('PERMISSION_DENIED') : c.get('tokenFault'))
}

function inputViolation(issue: z.core.$ZodIssue | undefined): Violation {
  return violation('INPUT_INVALID', { reason: issue?.message ?? '' }, issue?.path.join('.') || undefined)
}

/** Every answer that is not 200. HTTP stays 200 for business results: the console reads `code` (design of the envelope: infra/docs/decisions.md). */
export function onError(thrown: Error, c: Context<HonoEnv>): Response {
  const error = parseGuardFailure(thrown)
  if (error instanceof Refusal) return refusal(c, error.violation)
  if (error instanceof HTTPException && error.status === 400) return refusal(c, violation('BODY_MALFORMED'))
  if (error instanceof HTTPException && error.status === 413) return refusal(c, violation('BODY_TOO_LARGE'))
  log('error', 'fault', { requestId: c.get('requestId'), path: c.req.path, error: faultText(error) })
  return refusal(c, violation('FAULT'))
}

const TRANSPORT_STATUS: Readonly<Record<number, 404 | 413 | 429 | 500>> = { 404: 404, 413: 413, 429: 429, 500: 500 }

export function refusal(c: Context<HonoEnv>, found: Violation): Response {
  const { code } = ERRORS[found.key]
  const field = fieldOf(found)
  const retryAfter = found.params['retry_after']
  const data = { ...(field && { field }), ...(retryAfter !== undefined && { retry_after: retryAfter }) }
  return c.json(
    { code, msg: messageOf(found), data: Object.keys(data).length > 0 ? data : null, request_id: c.get('requestId') },
    TRANSPORT_STATUS[code] ?? 200,
  )
}
