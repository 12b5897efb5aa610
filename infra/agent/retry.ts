import { CLOSE } from '../../worker/contract/protocol.ts'
import { AGENT } from '../../worker/contract/limits.ts'

export interface Ending {
  /** Close code; 1006 where there was none. */
  readonly code: number
  /** Consecutive failures without a stable connection; 1 for the first. */
  readonly attempt: number
  /** The connection had been welcomed before it ended. */
  readonly wasUp: boolean
  /** Consecutive takeovers by another agent of this device, this one included. */
  readonly takeovers?: number
  /** `retry_after` of the hub, if any. */
  readonly retryAfterMs?: number
}

export interface RetryPolicy {
  /** Returns in [0, 1). */
  readonly random: () => number
  /** Jitter of the first attempt after the server went away with many devices connected. */
  readonly restartSpreadMs: number
  /** Reconnect even after a newer connection of the same device took over. */
  readonly reconnectAfterTakeover: boolean
}

const GONE: ReadonlySet<number> = new Set([1001, 1006, 1012])

/** Milliseconds until the next attempt, or null to stop for good. Full jitter against a thundering herd. */
export function retryDelayMs(
  { code, attempt, wasUp, takeovers = 1, retryAfterMs = 0 }: Ending,
  { random, restartSpreadMs, reconnectAfterTakeover }: RetryPolicy,
): number | null {
  const around = (ms: number) => ms * (0.8 + 0.4 * random())
  if (code === CLOSE.superseded) {
    if (!reconnectAfterTakeover) return null
    return around(Math.min(AGENT.removedRetryMs * 2 ** (takeovers - 1), AGENT.takeoverRetryMaxMs)) // else two agents evict each other for ever
  }
  if (code === CLOSE.removed) return around(AGENT.removedRetryMs)
  if (code === CLOSE.tooOften) {
    const own = Math.min(AGENT.tooOftenRetryMs * 2 ** (attempt - 1), AGENT.tooOftenRetryMaxMs)
    return retryAfterMs + around(own)
  }
  const ceiling =
    wasUp && attempt === 1 && GONE.has(code)
      ? restartSpreadMs
      : Math.min(AGENT.retryBaseMs * 2 ** Math.min(attempt, 16), AGENT.retryMaxMs)
  return AGENT.retryFloorMs + random() * (ceiling - AGENT.retryFloorMs)
}
