import { SENTENCE, RESULT } from '../../worker/contract/result.ts'
import { ApiError } from '../lib/transport.ts'

/** What an error shows to the user, and at which field. */
export interface ErrorView {
  readonly message: string
  readonly code?: number
  readonly field?: string
  /** For support; set for faults only. */
  readonly requestId?: string
  /** Seconds. */
  readonly retryAfter?: number
  /** What could be chosen instead of what is taken. */
  readonly free?: string | number
}

/** Messages of the API are shown as they are; any other error is shown as a fault. */
export function toErrorView(error: unknown): ErrorView {
  if (!(error instanceof ApiError)) return { message: SENTENCE.fault }
  const { code, msg, field, requestId, retryAfter, free } = error
  return {
    message: msg,
    code,
    ...(field !== undefined && { field }),
    ...(requestId !== undefined && code === RESULT.fault && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(free !== undefined && { free }),
  }
}
