import { z } from 'zod'
import type { Clock } from '#infra/agent/clock.ts'
import type { OpenSocket } from '#infra/agent/agent-socket.ts'

/** Faults between a virtual router and its hub: broken and half-open connections, lost frames. */
export const faults = z.strictObject({
  /** Mean interval of broken connections. */
  flapEveryMs: z.number().positive().optional(),
  /** Mean interval of half-open connections (freezes). */
  freezeEveryMs: z.number().positive().optional(),
  /** Duration of a freeze. */
  freezeForMs: z.number().positive().default(120_000),
  /** Share of lost frames in both directions. */
  dropRate: z.number().min(0).max(1).default(0),
})

/** Socket with injected faults, one per router: a freeze outlasts the sockets that it breaks. */
export function faultySocket(
  open: OpenSocket,
  { flapEveryMs, freezeEveryMs, freezeForMs, dropRate }: z.output<typeof faults>,
  clock: Clock,
  random: () => number,
): OpenSocket {
  let frozenUntil = -Infinity
  const about = (ms: number) => ms * (0.7 + 0.6 * random())
  const passes = () => clock.monotonic() >= frozenUntil && random() >= dropRate
  return (url, headers, events) => {
    const cancels: (() => void)[] = []
    const cancelAll = () => cancels.splice(0).forEach((cancel) => cancel())
    const socket = open(url, headers, {
      opened() {
        if (clock.monotonic() < frozenUntil) return
        if (freezeEveryMs !== undefined) {
          cancels.push(clock.after(about(freezeEveryMs), () => (frozenUntil = clock.monotonic() + freezeForMs)))
        }
        if (flapEveryMs !== undefined) {
          const flap = () => {
            cancelAll()
            socket.close(3000, 'simulated flap')
            events.closed(1006, 'simulated flap')
          }
          cancels.push(clock.after(about(flapEveryMs), flap))
        }
        events.opened()
      },
      message: (text) => passes() && events.message(text),
      closed(code, reason) {
        cancelAll()
        if (clock.monotonic() >= frozenUntil) events.closed(code, reason)
      },
    })
    return {
      send: (text) => passes() && socket.send(text),
      close(code, reason) {
        cancelAll()
        socket.close(code, reason)
      },
      bufferedAmount: () => socket.bufferedAmount(),
    }
  }
}
