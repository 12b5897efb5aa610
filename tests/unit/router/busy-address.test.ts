import { expect, it } from 'vitest'
import { CALL_LIMIT, CALL_LIMITS } from '#contract/kernel/limits.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { MINUTE_MS } from '#contract/kernel/time.ts'
import { retryDelayMs } from '#infra/agent/hub/retry.ts'
import { createRandom } from '#tests/support/random.ts'

const PERIOD_MS = CALL_LIMIT.periodS * 1000
const DEVICES = 200

/** Milliseconds until each device behind one address block is connected. All come after the beginning of a period. */
function connectAll(seed: number): readonly number[] {
  const { next } = createRandom(seed)
  const busy = { code: CLOSE.restart, wasUp: false, retryAfterMs: CALL_LIMIT.retryAfterS * 1000 }
  const waiting = Array.from({ length: DEVICES }, () => ({ atMs: next() * 45_000, attempt: 1 }))
  const passed = new Map<number, number>()
  const connected: number[] = []
  while (waiting.length > 0) {
    const device = waiting.sort((a, b) => b.atMs - a.atMs).at(-1)!
    const period = Math.floor(device.atMs / PERIOD_MS)
    const count = passed.get(period) ?? 0
    if (count < CALL_LIMITS.connect) {
      passed.set(period, count + 1)
      connected.push(device.atMs)
      waiting.pop()
    } else {
      device.atMs += retryDelayMs({ ...busy, attempt: ++device.attempt }, 45_000, next)
    }
  }
  return connected
}

it.each([1, 2, 3, 4, 5])(
  'without return tickets, 200 devices behind one address block are connected within 20 minutes (%i)',
  (seed) => {
    const connected = connectAll(seed)
    expect(connected).toHaveLength(DEVICES)
    expect(Math.max(...connected)).toBeLessThanOrEqual(20 * MINUTE_MS)
  },
)
