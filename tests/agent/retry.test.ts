import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { type Ending, retryDelayMs } from '#infra/agent/hub/retry.ts'

const SPREAD = 45_000
const delayMs = (ending: Ending, random: number) => retryDelayMs(ending, SPREAD, () => random)
const unit = fc.double({ min: 0, max: 0.999_999, noNaN: true })
const ordinary = fc.constantFrom(1000, 1006, 1011, CLOSE.silent, CLOSE.protocol)

describe('the delay before the next try', () => {
  it('stays between 0.2 s and the ceiling of its attempt, never above a minute', () => {
    fc.assert(
      fc.property(ordinary, fc.integer({ min: 1, max: 10_000 }), fc.boolean(), unit, (code, attempt, wasUp, random) => {
        const ms = delayMs({ code, attempt, wasUp }, random)
        expect(ms).toBeGreaterThanOrEqual(200)
        const isCut = code === 1006 && wasUp && attempt === 1
        expect(ms).toBeLessThanOrEqual(isCut ? 4_000 : Math.min(1_000 * 2 ** attempt, 60_000))
      }),
    )
  })

  it('uses the whole range: a fleet that fell together does not rise together', () => {
    expect(delayMs({ code: 1006, attempt: 6, wasUp: false }, 0)).toBe(200)
    expect(delayMs({ code: 1006, attempt: 6, wasUp: false }, 0.999)).toBeGreaterThan(59_000)
  })

  it('is 5 s at most after a single cut, so that 重连中 does not become 离线', () => {
    expect(delayMs({ code: 1006, attempt: 1, wasUp: true }, 0.999_999)).toBeLessThan(5_000)
  })

  it.each<[string, Ending]>([
    ['its close code 1001', { code: 1001, attempt: 1, wasUp: true }],
    ['its close code 1012', { code: 1012, attempt: 1, wasUp: true }],
    ['a refused try', { code: 1006, attempt: 2, wasUp: false, isRestarting: true }],
    ['a refused try long after', { code: 1006, attempt: 9, wasUp: false, isRestarting: true, lostMs: 3_600_000 }],
  ])('uses the whole spread after a restart, recognised by %s', (_, ending) => {
    expect([delayMs(ending, 0), delayMs(ending, 1)]).toEqual([200, SPREAD])
  })

  it('ends with the spread where the restart took a part of it, but never comes to a rush at its end', () => {
    const last = (lostMs: number) => delayMs({ code: 1006, attempt: 2, wasUp: false, isRestarting: true, lostMs }, 1)
    expect([0, 10_000, 29_000, 44_900].map(last)).toEqual([45_000, 35_000, 16_000, 15_000])
  })

  it('takes a restart code before the welcome for a refusal of this device alone', () => {
    expect(delayMs({ code: 1012, attempt: 1, wasUp: false }, 1)).toBe(2_000)
  })

  it('grows with each takeover, from a quarter of a minute to one and a half', () => {
    const at = (takeovers: number) => delayMs({ code: CLOSE.superseded, attempt: 1, wasUp: true, takeovers }, 0.5)
    expect([1, 2, 3, 4, 9].map(at)).toEqual([15_000, 30_000, 60_000, 90_000, 90_000])
  })

  it('waits about five minutes after removal', () => {
    expect(delayMs({ code: CLOSE.removed, attempt: 1, wasUp: true }, 0.5)).toBe(300_000)
  })

  it('waits a minute, then twice as long each time, when it came too often', () => {
    const at = (attempt: number) => delayMs({ code: CLOSE.tooOften, attempt, wasUp: false }, 0.5)
    expect([1, 2, 3, 9].map(at)).toEqual([60_000, 120_000, 240_000, 900_000])
  })

  it('respects retry_after', () => {
    const ending = { code: CLOSE.tooOften, attempt: 1, wasUp: false, retryAfterMs: 500_000 }
    expect(delayMs(ending, 0)).toBeGreaterThanOrEqual(500_000)
  })
})
