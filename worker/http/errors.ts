import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type * as z from 'zod'
import { ERRORS, fieldOf, toMessage, Refusal } from '#contract/kernel/errors.ts'
import { type Violation, violation, type ErrorEntry } from '#contract/kernel/result.ts'
import { OVERLOAD } from '#contract/kernel/limits.ts'
import { isDatabaseAway, isOverload } from '#db/driver.ts'
import { parseGuardFailure } from '#db/guard.ts'
import type { HonoEnv } from './context.ts'
import { HubAway } from './hub-answers.ts'
import { logFault, logRefusal } from './request-log.ts'

/* Answers of refusals, invalid input and faults, in the envelope of the API. */

/** Turns the first issue of a schema into a refusal that names the field. */
export const inputViolation = (issue: z.core.$ZodIssue | undefined): Violation =>
  violation('INPUT_INVALID', { reason: issue?.message ?? '' }, issue?.path.join('.') || undefined)

/** Answers an error. Business results have HTTP status 200: the console reads `code` (infra/docs/decisions.md). */
export function onError(thrown: Error, c: Context<HonoEnv>): Response {
  const error = parseGuardFailure(thrown)
  if (error instanceof Refusal) return refusal(c, error.violation)
  if (error instanceof HTTPException && error.status === 400) return refusal(c, violation('BODY_MALFORMED'))
  if (error instanceof HTTPException && error.status === 413) return refusal(c, violation('BODY_TOO_LARGE'))
  logFault(c, error)
  const overload = toOverload(error)
  if (overload) return refusal(c, overload)
  if (error instanceof HubAway) return refusal(c, violation(error.key))
  return refusal(c, violation(isDatabaseAway(error) ? 'DATABASE_AWAY' : 'FAULT'))
}

/** Refusal of a call that met an overloaded database or hub. Callers wait for different times. */
export function toOverload(error: unknown): Violation | null {
  const { retryAfterS } = OVERLOAD
  const spreadS = Math.floor(Math.random() * retryAfterS)
  return isOverload(error) ? violation('OVERLOADED', { retry_after: retryAfterS + spreadS }) : null
}

const TRANSPORT_STATUS: Readonly<Record<number, 400 | 404 | 413 | 429 | 500 | 503>> = {
  400: 400,
  404: 404,
  413: 413,
  429: 429,
  500: 500,
  503: 503,
}

/** Envelope of a refusal. `reason` is its key in the catalogue, `extra` the fields beside `data`. */
export function refusal(
  c: Context<HonoEnv>,
  found: Violation,
  extra: Readonly<Record<string, unknown>> = {},
): Response {
  const entry: ErrorEntry = ERRORS[found.key]
  const { code, status = TRANSPORT_STATUS[code] ?? 200 } = entry
  const { retry_after, difficulty, free, ticket } = found.params
  const given = { field: fieldOf(found) || undefined, retry_after, difficulty, free, ticket }
  const data = Object.entries(given).filter(([, value]) => value !== undefined)
  c.set('code', code)
  c.set('reason', found.key)
  logRefusal(c, found)
  if (retry_after !== undefined && (status === 429 || status === 503)) c.header('retry-after', String(retry_after))
  return c.json(
    {
      code,
      msg: toMessage(found),
      reason: found.key,
      data: data.length > 0 ? Object.fromEntries(data) : null,
      request_id: c.get('requestId'),
      ...extra,
    },
    status,
  )
}
