import { SOCKET_GUARD } from '../../worker/contract/limits.ts'

/** Guards a hub against a device that reconnects all the time. */
export interface Admission {
  readonly times: readonly number[]
  readonly closedUntil: number
  readonly pauses: number
}

export const noConnects: Admission = { times: [], closedUntil: 0, pauses: 0 }

/** `waitMs` 0 lets the device in. Each pause is twice the last; a calm window starts anew. */
export function admit(before: Admission, now: number): { admission: Admission; waitMs: number } {
  if (now < before.closedUntil) return { admission: before, waitMs: before.closedUntil - now }
  const times = [...before.times.filter((at) => at > now - SOCKET_GUARD.reconnectWindowMs), now]
  if (times.length <= SOCKET_GUARD.reconnects) {
    const isCalm = now - before.closedUntil > SOCKET_GUARD.reconnectWindowMs
    return { admission: { ...before, times, pauses: isCalm ? 0 : before.pauses }, waitMs: 0 }
  }
  const waitMs = Math.min(SOCKET_GUARD.pauseMs * 2 ** before.pauses, SOCKET_GUARD.pauseMaxMs)
  return { admission: { times: [], closedUntil: now + waitMs, pauses: before.pauses + 1 }, waitMs }
}
