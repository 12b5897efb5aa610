import { SENTENCE, RESULT } from '#contract/kernel/result.ts'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { ApiError } from '#lib/call/transport.ts'

/* Turns any error into the message and facts that a page shows. */

const OUTDATED: readonly ErrorKey[] = ['SETTING_CHANGED', 'NETWORK_CHANGED']
const QUOTAS: readonly ErrorKey[] = ['MEMBER_LIMIT_REACHED', 'SOFTWARE_LIMIT_REACHED', 'DNS_LIMIT_REACHED']

/** True if a quota refuses, with an upgrade as offer (network 5). */
export const isQuota = (reason: string): boolean => QUOTAS.some((key) => key === reason)

export interface ErrorView {
  readonly message: string
  readonly code?: number
  readonly field?: string
  /** Id for support; set for faults only. */
  readonly requestId?: string
  /** Seconds. */
  readonly retryAfter?: number
  /** Free value, instead of the taken one. */
  readonly free?: string | number
  readonly isQuota?: true
  /** Somebody else has saved since the form was opened. */
  readonly isOutdated?: true
}

/** API messages are shown unchanged; any other error is shown as a fault. */
export function toErrorView(error: unknown): ErrorView {
  if (!(error instanceof ApiError)) return { message: SENTENCE.fault }
  const { code, msg, reason, field, requestId, retryAfter, free } = error
  return {
    message: msg,
    code,
    ...(field !== undefined && { field }),
    ...(requestId !== undefined && code === RESULT.fault && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(free !== undefined && { free }),
    ...(reason !== undefined && isQuota(reason) && { isQuota: true }),
    ...(reason !== undefined && OUTDATED.includes(reason) && { isOutdated: true }),
  }
}
