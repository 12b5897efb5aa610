import { RESULT, ERRORS } from '../../worker/contract/errors.ts'
import { ApiError } from '../lib/transport.ts'

/** What a thrown value tells the user, and where. */
export interface Cause {
  readonly message: string
  readonly code?: number
  readonly field?: string
  /** To ask us about a fault; a refusal explains itself. */
  readonly requestId?: string
  /** Seconds. */
  readonly retryAfter?: number
}

/** Only the API's refusals speak for themselves; any other error is a fault of ours. */
export function causeOf(error: unknown): Cause {
  if (!(error instanceof ApiError)) return { message: ERRORS.FAULT.msg }
  const { code, msg, field, requestId, retryAfter } = error
  return {
    message: msg,
    code,
    ...(field !== undefined && { field }),
    ...(requestId !== undefined && code === RESULT.fault && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}
