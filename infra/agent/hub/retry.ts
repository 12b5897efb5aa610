import { CLOSE } from '#contract/kernel/protocol.ts'
import { AGENT } from '#contract/kernel/hub-limits.ts'

/* Delay before the agent connects to the hub again, by the reason why its last connection ended. */

export interface Ending {
  /** Close code; 1006 if there was none. */
  readonly code: number
  /** Consecutive failures without a stable connection; 1 for the first. */
  readonly attempt: number
  /** The connection had been welcomed before it ended. */
  readonly wasUp: boolean
  /** The router is disabled: it may be enabled at any time. */
  readonly isDisabled?: boolean
  /** True: the try was refused by a service that restarts. */
  readonly isRestarting?: boolean
  /** Time since the last welcomed connection ended. */
  readonly lostMs?: number
  /** Number of recent takeovers by another agent with this key, including this one. */
  readonly takeovers?: number
  /** `retry_after` of the hub or of the service in milliseconds, if any. */
  readonly retryAfterMs?: number
}

/** "Going away" and "service restart": the server ends the sockets of every device. */
const RESTART: ReadonlySet<number> = new Set([1001, CLOSE.restart])

/**
 * Milliseconds until the next try. Full jitter, so that a whole fleet does not return at once.
 *
 * @param spreadMs time over which the devices of the service come back after a restart.
 * @param random returns in [0, 1).
 */
export function retryDelayMs(ending: Ending, spreadMs: number, random: () => number): number {
  const { code, attempt, takeovers = 1, retryAfterMs = 0 } = ending
  const around = (ms: number) => ms * (0.8 + 0.4 * random())
  if (code === CLOSE.superseded) {
    return around(Math.min(AGENT.takeoverRetryMs * 2 ** (takeovers - 1), AGENT.takeoverRetryMaxMs))
  }
  if (ending.isDisabled === true) return around(AGENT.disabledRetryMs)
  if (code === CLOSE.removed) return around(AGENT.removedRetryMs)
  if (code === CLOSE.tooOften) {
    const own = Math.min(AGENT.tooOftenRetryMs * 2 ** (attempt - 1), AGENT.tooOftenRetryMaxMs)
    return retryAfterMs + around(own)
  }
  if (retryAfterMs > 0) return around(Math.min(retryAfterMs, AGENT.removedRetryMs))
  return AGENT.retryFloorMs + random() * (ceilingMs(ending, spreadMs) - AGENT.retryFloorMs)
}

function ceilingMs({ code, attempt, wasUp, isRestarting, lostMs = 0 }: Ending, spreadMs: number): number {
  if (isRestarting || (wasUp && RESTART.has(code))) return spreadRestMs(lostMs, spreadMs)
  if (wasUp && attempt === 1 && code === 1006) return AGENT.cutRetryMs
  return Math.min(AGENT.retryBaseMs * 2 ** Math.min(attempt, 16), AGENT.retryMaxMs)
}

/** Rest of the reconnect spread, at least a third, so that devices that are still away do not come all at once. */
const spreadRestMs = (lostMs: number, spreadMs: number): number =>
  lostMs < spreadMs ? Math.max(spreadMs - lostMs, spreadMs / 3) : spreadMs
