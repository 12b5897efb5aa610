import type { z } from 'zod'
import type { Endpoint } from '../../worker/contract/endpoint.ts'
import { CODE } from '../../worker/contract/errors.ts'
import { navigation } from './navigation.ts'
import { accessToken, renewSession, sessionGone } from './session.ts'
import { toast } from './toast.ts'
import { ApiError, noAnswer, type Reply, send } from './transport.ts'

export { ApiError, type Reply } from './transport.ts'

export interface CallOptions {
  /** For work in the background: the caller deals with a refusal, nothing is shown. */
  readonly quiet?: boolean
  /** What 204 does beyond its message; back one page unless the caller stays (account 8). */
  readonly onMissing?: 'back' | 'stay'
  /** Ten seconds unless the call is known to take longer (directory 7). */
  readonly timeoutMs?: number
}

/**
 * Calls one endpoint and reacts as the error catalogue says (account 8). Throws ApiError for every refusal, which is shown
 * unless a form marks the field it names; 423 is passed on unshown, because the page turns it into a step.
 */
export async function call<I extends z.ZodType, O extends z.ZodType>(
  spec: Endpoint<I, O>,
  input: z.input<I>,
  options: CallOptions = {},
): Promise<Reply<z.output<O>>> {
  try {
    return await sendWithSession(spec, input, options.timeoutMs)
  } catch (error) {
    if (error instanceof ApiError) react(spec, error, options)
    throw error
  }
}

async function sendWithSession<I extends z.ZodType, O extends z.ZodType>(
  spec: Endpoint<I, O>,
  input: z.input<I>,
  timeoutMs?: number,
): Promise<Reply<z.output<O>>> {
  if (spec.access === 'public') return send(spec, input, null, timeoutMs)
  const refused = await accessToken().then((token) => send(spec, input, token, timeoutMs).catch(sessionRefusal))
  if (!(refused instanceof ApiError)) return refused
  const renewal = await renewSession()
  if (renewal === 'gone') throw refused
  if (renewal === 'unreachable') throw noAnswer()
  return send(spec, input, await accessToken(), timeoutMs)
}

/** Hands back what a renewed session may cure, throws the rest. */
function sessionRefusal(error: unknown): ApiError {
  if (error instanceof ApiError && error.code >= CODE.expired) return error
  throw error
}

function react(spec: Endpoint, error: ApiError, { quiet = false, onMissing = 'back' }: CallOptions): void {
  if (error.code >= CODE.expired && spec.access !== 'public') return sessionGone()
  if (quiet || error.code === CODE.doFirst) return
  if (error.field === undefined) show(error)
  else setTimeout(() => fieldsTold.delete(error) || show(error)) // the form that waits for the answer sees it first
  if (error.code === CODE.notFound && onMissing === 'back') navigation.back()
}

function show(error: ApiError): void {
  toast.error(error.msg, { requestId: error.code === CODE.fault ? error.requestId : undefined })
}

const fieldsTold = new WeakSet<ApiError>()

/** Said by a form that shows the refusal on the field it names: no toast repeats it. */
export function toldByField(error: ApiError): void {
  fieldsTold.add(error)
}
