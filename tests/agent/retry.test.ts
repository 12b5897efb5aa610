import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLOSE } from '../../worker/contract/protocol.ts'
import { retryDelayMs } from '../../infra/agent/retry.ts'

const policy = (random: number, restartSpreadMs = 2_000, reconnectAfterTakeover = false) => ({
  random: () => random,
  restartSpreadMs,
  reconnectAfterTakeover,
})
const unit = fc.double({ min: 0, max: 0.999_999, noNaN: true })
const ordinary = fc.constantFrom(1000, 1001, 1006, 1011, 1012, CLOSE.silent, CLOSE.protocol)

describe('the delay before the next try', () => {
  it('stays between 0.2 s and the ceiling of its attempt, never above a minute', () => {
    fc.assert(
      fc.property(ordinary, fc.integer({ min: 1, max: 10_000 }), fc.boolean(), unit, (code, attempt, wasUp, random) => {
        const ms = retryDelayMs({ code, attempt, wasUp }, policy(random))!
        expect(ms).toBeGreaterThanOrEqual(200)
        expect(ms).toBeLessThanOrEqual(Math.min(1_000 * 2 ** attempt, 60_000))
      }),
    )
  })

  it('uses the whole range (full jitter)', () => {
    expect(retryDelayMs({ code: 1006, attempt: 6, wasUp: false }, policy(0))).toBe(200)
    expect(retryDelayMs({ code: 1006, attempt: 6, wasUp: false }, policy(0.999))).toBeGreaterThan(59_000)
  })

  it.each([1001, 1006, 1012])('spreads a fleet over 15 s after the server went away (%i), and only then', (code) => {
    expect(retryDelayMs({ code, attempt: 1, wasUp: true }, policy(0.99, 15_000))).toBeGreaterThan(14_000)
    expect(retryDelayMs({ code, attempt: 1, wasUp: false }, policy(0.99, 15_000))).toBeLessThanOrEqual(2_000)
    expect(retryDelayMs({ code, attempt: 2, wasUp: true }, policy(0.99, 15_000))).toBeLessThanOrEqual(4_000)
  })

  it('stops when another agent of the device took over, unless run with --stay', () => {
    const ending = { code: CLOSE.superseded, attempt: 1, wasUp: true }
    expect(retryDelayMs(ending, policy(0.5))).toBeNull()
    expect(retryDelayMs(ending, policy(0.5, 2_000, true))).toBe(300_000)
  })

  it('grows with each takeover, so that two agents with --stay do not evict each other for ever', () => {
    const at = (takeovers: number) =>
      retryDelayMs({ code: CLOSE.superseded, attempt: 1, wasUp: true, takeovers }, policy(0.5, 2_000, true))
    expect([1, 2, 3, 9].map(at)).toEqual([300_000, 600_000, 1_200_000, 3_600_000])
  })

  it('waits about five minutes after removal', () => {
    expect(retryDelayMs({ code: CLOSE.removed, attempt: 1, wasUp: true }, policy(0.5))).toBe(300_000)
  })

  it('waits a minute, then twice as long each time, when refused for too many reconnects', () => {
    const at = (attempt: number) => retryDelayMs({ code: CLOSE.tooOften, attempt, wasUp: false }, policy(0.5))
    expect([1, 2, 3, 9].map(at)).toEqual([60_000, 120_000, 240_000, 900_000])
  })

  it('respects retry_after', () => {
    const ending = { code: CLOSE.tooOften, attempt: 1, wasUp: false, retryAfterMs: 500_000 }
    expect(retryDelayMs(ending, policy(0))).toBeGreaterThanOrEqual(500_000)
  })
})
