import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { HASHING } from '../../../worker/contract/limits.ts'
import { FULL_BUDGET, type HashBudget, stepHashBudget } from '../../../worker/domain/login/hash-budget.ts'
import { isPassword } from '../../../worker/security/password.ts'

const { burst, perSecond } = HASHING
const NOW = 1_800_000_000_000

afterEach(() => void vi.useRealTimers())

it('in any stretch of time, no more than the burst and what grows in it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 400 }), (pauses) => {
      let budget: HashBudget = FULL_BUDGET
      let now = NOW
      let hashed = 0
      const waits: number[] = []
      for (const pause of pauses) {
        now += pause
        const { next, waitMs } = stepHashBudget(budget, now)
        budget = next
        if (waitMs === 0) hashed++
        const comeAgain = now + Math.ceil(waitMs)
        waits.push(waitMs === 0 ? 0 : stepHashBudget(next, comeAgain).waitMs)
      }
      expect(waits.filter((ms) => ms > 0)).toEqual([]) // it says when to come again
      expect(hashed).toBeLessThanOrEqual(burst + ((now - NOW) / 1000) * perSecond)
      expect(hashed).toBeGreaterThanOrEqual(Math.min(pauses.length, burst))
    }),
  )
})

it('a clock that steps back gives nothing and takes nothing', () => {
  const { next } = stepHashBudget({ left: 3, at: NOW }, NOW - 60_000)
  expect(next.left).toBe(2)
})

it('refuses to hash one more, and hashes again a moment later', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  const cheap = `scrypt$2$1$1$AAAA$${'A'.repeat(43)}=`
  const tries = await Promise.allSettled(Array.from({ length: burst + 3 }, async () => isPassword('secret1', cheap)))
  const refused = tries.filter((result) => result.status === 'rejected')
  expect(refused.map(({ reason }) => reason.violation)).toEqual(
    Array(3).fill({ key: 'TOO_OFTEN', params: { retry_after: 1 } }),
  )
  vi.setSystemTime(NOW + 1000)
  expect(await isPassword('secret1', cheap)).toBe(false)
})
