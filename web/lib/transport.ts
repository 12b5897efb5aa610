import type { z } from 'zod'
import type { Endpoint } from '../../worker/contract/endpoint.ts'
import { CODE } from '../../worker/contract/errors.ts'
import { REQUEST_TIMEOUT_MS } from '../../worker/contract/limits.ts'

const MOUNT = '/api/v1/'
const UNREACHABLE = '系统响应超时,请稍候尝试'
const UNREADABLE = '获取数据异常，请稍候尝试'

/** No answer came: offline, timed out, aborted by the network. */
export const NO_ANSWER = 0

/** An answer whose `code` is not 200, or none at all (`NO_ANSWER`). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  readonly msg: string
  readonly field?: string
  readonly requestId?: string
  /** Seconds. */
  readonly retryAfter?: number

  constructor(code: number, msg: string, more: { field?: string; requestId?: string; retryAfter?: number } = {}) {
    super(msg)
    this.code = code
    this.msg = msg
    Object.assign(this, more)
  }
}

export function noAnswer(): ApiError {
  return new ApiError(NO_ANSWER, UNREACHABLE)
}

export interface Reply<T> {
  readonly data: T
  readonly msg: string
  /** Rows in all, where `data` is one page of a list. */
  readonly count: number
}

interface Envelope {
  readonly code: number
  readonly msg?: string
  readonly data: unknown
  readonly count?: number
  readonly request_id?: string
}

/** One request and its answer, without any reaction to it. Throws ApiError. */
export async function send<I extends z.ZodType, O extends z.ZodType>(
  spec: Endpoint<I, O>,
  input: z.input<I>,
  token: string | null,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<Reply<z.output<O>>> {
  const { body, requestId } = await exchange(request(spec, input, token, timeoutMs))
  if (body.code === CODE.ok) return { data: body.data as z.output<O>, msg: body.msg ?? '', count: body.count ?? 0 }
  const { field, retry_after: retryAfter } = (body.data ?? {}) as { field?: string; retry_after?: number }
  throw new ApiError(body.code, body.msg || UNREADABLE, {
    ...(field !== undefined && { field }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(requestId !== undefined && { requestId }),
  })
}

function request(spec: Endpoint, input: unknown, token: string | null, timeoutMs: number): Promise<Response> {
  const isRead = spec.method === 'GET'
  return fetch(`${MOUNT}${spec.path}${isRead ? queryOf(input) : ''}`, {
    method: spec.method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(!isRead && { 'content-type': 'application/json' }),
    },
    ...(!isRead && { body: JSON.stringify(input) }),
    signal: AbortSignal.timeout(timeoutMs),
  })
}

function queryOf(input: unknown): string {
  const given = Object.entries(input as Record<string, unknown>).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

async function exchange(pending: Promise<Response>): Promise<{ body: Envelope; requestId: string | undefined }> {
  const response = await pending.catch(() => {
    throw noAnswer()
  })
  const requestId = response.headers.get('x-request-id') ?? undefined
  const text = await response.text().catch(() => {
    throw noAnswer()
  })
  const body = parse(text)
  // A proxy's own error page is no envelope.
  if (body === null) throw new ApiError(response.status, UNREADABLE, { ...(requestId !== undefined && { requestId }) })
  return { body, requestId: body.request_id ?? requestId }
}

function parse(text: string): Envelope | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'number'
      ? (body as Envelope)
      : null
  } catch {
    return null
  }
}
