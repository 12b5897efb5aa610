import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { navigation } from '#lib/navigation.ts'
import { saveFile } from './save-file.ts'
import { accessToken, renewSession, renewalFailure, onSessionEnded } from '#lib/session/session.ts'
import { toast } from '#lib/toast/toast.ts'
import { ApiError, type ReplyTo, type RequestOptions, send, sendForFile } from './transport.ts'

/* Calls API endpoints with the session of this page, and reacts to their refusals. */

export { ApiError, type ReplyTo } from './transport.ts'

export interface CallOptions extends RequestOptions {
  /** For work in the background: nothing is shown, and the caller handles a refusal. */
  readonly quiet?: boolean
  /** Reaction to 204 beyond its message: go back one page, unless the caller stays (account 8). */
  readonly onMissing?: 'back' | 'stay'
}

/** Forms, dialogs and confirmations show the refusal themselves. */
export const QUIET = { quiet: true } as const

/**
 * Calls one endpoint and reacts as the error catalogue says (account 8). Throws ApiError for every refusal, and shows it
 * unless a form marks the named field. 423 is not shown: the page turns it into a step.
 */
export function call<E extends Endpoint>(spec: E, input: Input<E>, options: CallOptions = {}): Promise<ReplyTo<E>> {
  return withReactions(spec, options, (token) => send(spec, input, token, options))
}

/** Calls an endpoint that answers with a file, and saves it under the name that the server gave. */
export async function download<E extends Endpoint>(spec: E, input: Input<E>, options: CallOptions = {}): Promise<void> {
  saveFile(await withReactions(spec, options, (token) => sendForFile(spec, input, token, options)))
}

type Request<T> = (token: string | null) => Promise<T>

async function withReactions<T>(spec: Endpoint, options: CallOptions, request: Request<T>): Promise<T> {
  try {
    return await (spec.access === 'public' ? request(null) : withSession(request))
  } catch (error) {
    if (error instanceof ApiError) react(spec, error, options)
    throw error
  }
}

/** Renews an expired session once. */
async function withSession<T>(request: Request<T>): Promise<T> {
  const refused = await accessToken().then((token) => request(token).catch(sessionRefusal))
  if (!(refused instanceof ApiError)) return refused
  const renewal = await renewSession()
  if (renewal === 'gone') throw refused
  if (renewal === 'unreachable') throw renewalFailure()
  return request(await accessToken())
}

/** Returns a refusal that a refresh of the session may fix; rethrows any other error. */
function sessionRefusal(error: unknown): ApiError {
  if (error instanceof ApiError && error.code >= RESULT.expired) return error
  throw error
}

function react(spec: Endpoint, error: ApiError, { quiet = false, onMissing = 'back' }: CallOptions): void {
  if (error.code >= RESULT.expired && spec.access !== 'public') return onSessionEnded()
  if (quiet || error.code === RESULT.doFirst) return
  setTimeout(() => handledErrors.delete(error) || show(error)) // deferred: the awaiting form may mark it as handled first
  if (error.code === RESULT.notFound && onMissing === 'back') navigation.back()
}

function show(error: ApiError): void {
  toast.error(error.msg, { requestId: error.code === RESULT.fault ? error.requestId : undefined })
}

const handledErrors = new WeakSet<ApiError>()

/** Suppresses the toast of a refusal that a form shows itself. */
export function markHandled(error: ApiError): void {
  handledErrors.add(error)
}
