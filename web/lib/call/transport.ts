import { BOOKMARK_HEADER } from '#contract/kernel/bookmark.ts'
import type { Endpoint, Extra, Input, Output } from '#contract/kernel/endpoint.ts'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { REQUEST_TIMEOUT_MS } from '#contract/kernel/limits.ts'
import { keepBookmark, newestKnown } from './bookmark.ts'
import { encodeInput } from './encode-input.ts'

/* HTTP requests to the API, their envelopes, and ApiError for refusals and lost answers. */

const MOUNT = '/api/v1/'
const UNREACHABLE = '系统响应超时,请稍候尝试'
/** The device itself has no network. */
export const OFFLINE = '网络已断开'
const UNREADABLE = '获取数据异常，请稍候尝试'

/** No answer came: offline, timed out, aborted by the network. */
export const NETWORK_ERROR = 0

/** Answer with a `code` other than 200, or no answer (`NETWORK_ERROR`). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  readonly msg: string
  /** Key of the refusal in the catalogue, for branches in code. */
  readonly reason?: ErrorKey
  readonly field?: string
  readonly requestId?: string
  /** Seconds. */
  readonly retryAfter?: number
  /** Bits of the required proof of work (contract/login/sign-in.ts). */
  readonly difficulty?: number
  /** Free segment or port, instead of the taken one. */
  readonly free?: string | number
  /** Ticket for the second step of a sign-in (contract/login/totp.ts). */
  readonly ticket?: string
  /** Fields of the refusal beside `data`, named by the endpoint. */
  readonly extra?: Readonly<Record<string, unknown>>

  constructor(code: number, msg: string, details: ErrorDetails = {}) {
    super(msg)
    this.code = code
    this.msg = msg
    Object.assign(this, details)
  }
}

/** Facts of a refusal beside its code and message. */
type ErrorDetails = Omit<ApiError, keyof Error | 'code' | 'msg'>

/** No answer, a fault, or a busy address: a later call may get through. Any other refusal would come again. */
export const isTransient = ({ code, reason }: ApiError): boolean =>
  code === NETWORK_ERROR || (code >= RESULT.fault && code < RESULT.expired) || reason === 'ADDRESS_BUSY'

export function networkError(): ApiError {
  return new ApiError(NETWORK_ERROR, navigator.onLine ? UNREACHABLE : OFFLINE)
}

/** Answer of one endpoint, with its named fields beside `data`. */
export type ReplyTo<E extends Endpoint> = Extra<E> & {
  readonly data: Output<E>
  readonly msg: string
  /** Number of all rows if `data` is one page of a list. */
  readonly count: number
}

export interface DownloadedFile {
  readonly name: string
  readonly content: Blob
}

export interface RequestOptions {
  /** Ten seconds unless the call is known to take longer (directory 7). */
  readonly timeoutMs?: number
  /** Reads the primary database also where a copy might answer: after a live frame, at the end of a job, for 重试. */
  readonly reads?: 'primary' | undefined
}

interface Envelope {
  readonly code: number
  readonly msg?: string
  readonly reason?: ErrorKey
  readonly data: unknown
  readonly count?: number
  readonly request_id?: string
}

interface RefusalData extends Pick<ErrorDetails, 'field' | 'difficulty' | 'free' | 'ticket'> {
  readonly retry_after?: number
}

/** One request and its answer, without any reaction to it. Throws ApiError. */
export async function send<E extends Endpoint>(
  spec: E,
  input: Input<E>,
  token: string | null,
  options?: RequestOptions,
): Promise<ReplyTo<E>> {
  const response = await fetchOrThrow(spec, input, token, options)
  const { code: _code, request_id: _requestId, ...envelope } = await readEnvelope(response)
  return { ...envelope, msg: envelope.msg ?? '', count: envelope.count ?? 0 } as unknown as ReplyTo<E>
}

/** Like `send`, for an endpoint that answers with a file. A refusal is an envelope here too. */
export async function sendForFile(...request: Parameters<typeof fetchOrThrow>): Promise<DownloadedFile> {
  const response = await fetchOrThrow(...request)
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  if (encoded === undefined) {
    await readEnvelope(response)
    throw new ApiError(response.status, UNREADABLE)
  }
  const content = await response.blob().catch(() => {
    throw networkError()
  })
  return { name: decodeURIComponent(encoded), content }
}

async function fetchOrThrow(
  spec: Endpoint,
  input: unknown,
  token: string | null,
  { timeoutMs = REQUEST_TIMEOUT_MS, reads }: RequestOptions = {},
): Promise<Response> {
  const { query, body, contentType } = encodeInput(spec, input)
  const bookmark = (reads ?? spec.reads) === 'near' ? newestKnown() : undefined
  try {
    const response = await fetch(`${MOUNT}${spec.path}${query}`, {
      method: spec.method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(bookmark !== undefined && { [BOOKMARK_HEADER]: bookmark }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    keepBookmark(response.headers.get(BOOKMARK_HEADER), bookmark)
    return response
  } catch {
    throw networkError()
  }
}

async function readEnvelope(response: Response): Promise<Envelope> {
  const headerId = response.headers.get('x-request-id') ?? undefined
  const text = await response.text().catch(() => {
    throw networkError()
  })
  const body = parse(text)
  // A proxy's own error page is no envelope.
  if (body === null)
    throw new ApiError(response.status, UNREADABLE, { ...(headerId !== undefined && { requestId: headerId }) })
  if (body.code === RESULT.ok) return body
  const { code, msg, reason, data, request_id: requestId = headerId, ...extra } = body
  const { field, retry_after: retryAfter, difficulty, free, ticket } = (data ?? {}) as RefusalData
  const details = { reason, field, retryAfter, difficulty, free, ticket, requestId }
  throw new ApiError(code, msg || UNREADABLE, {
    ...withoutUndefined(details),
    ...(Object.keys(extra).length > 0 && { extra }),
  })
}

/** Drops absent details, so that they are no properties of the error. */
const withoutUndefined = (details: { readonly [K in keyof ErrorDetails]: ErrorDetails[K] | undefined }): ErrorDetails =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined))

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
