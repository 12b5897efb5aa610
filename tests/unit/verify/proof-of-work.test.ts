import { describe, expect, it } from 'vitest'
import { FAILURE_WORK, PROOF } from '#contract/verify/limits.ts'
import { toAllowance, bitsFor, provenBits, allowedFailures, requiredBits } from '#domain/verify/proof-of-work.ts'

describe('proof of work', () => {
  it.each([
    [0, 0],
    [50, 0],
    [51, 18],
    [100, 18],
    [101, 19],
    [201, 20],
    [401, 21],
    [801, 22],
    [1_000_000, 22],
  ])('%i attempts where 50 are free take %i bits', (attempts, bits) => {
    expect(bitsFor(attempts, 50)).toBe(bits)
    expect(attempts).toBeLessThanOrEqual(toAllowance(bits, 50))
  })

  it('the work that is asked is the least that is looked at', () => {
    for (const failed of [0, 19, 20, 40, 79, 80, 900]) {
      const found = { address: failed, wideBlock: 0, account: failed }
      const bits = requiredBits(found)
      expect(found.account).toBeLessThan(allowedFailures(bits).account)
      const less = bits === 0 ? 0 : allowedFailures(bits - 1).account
      expect(found.account).toBeGreaterThanOrEqual(less)
    }
    expect(requiredBits({ address: 0, wideBlock: 0, account: FAILURE_WORK.perAccount })).toBe(PROOF.bitsMin)
  })

  it.each([
    [[0, 0, 0x7f], 0],
    [[0, 0, 0x3f], 18],
    [[0, 0, 0x1f], 19],
    [[0, 0, 0x03], 22],
    [[0, 0, 0, 0], 22],
  ])('a digest of %j proves %i bits', (digest, bits) => expect(provenBits(new Uint8Array(digest))).toBe(bits))
})
