import { describe, expect, it } from 'vitest'
import { toMessage } from '../../../worker/contract/errors.ts'
import { LOGIN_GUARD, LOGIN_WORK, PROOF } from '../../../worker/contract/limits.ts'
import { type Attempts, checkAttempts } from '../../../worker/domain/login/guard.ts'
import { allowedFailures, requiredBits } from '../../../worker/domain/login/work.ts'
import { allowanceOf, bitsFor, provenBits } from '../../../worker/domain/verify/proof.ts'

const NOW = 1_000_000
const { failures, failuresPerWideBlock } = LOGIN_GUARD

describe('pause', () => {
  it.each<[string, Attempts, Attempts | undefined, string | null]>([
    ['first try', [1, NOW + 900_000], [1, NOW + 900_000], null],
    ['an address without a /48', [1, NOW + 900_000], undefined, null],
    ['last allowed try', [failures, NOW + 900_000], [failuresPerWideBlock, NOW + 900_000], null],
    ['one too many at the address', [failures + 1, NOW + 900_000], [6, NOW], '登录失败次数过多，请15分钟后重试'],
    ['one too many in the /48', [1, NOW], [21, NOW + 61_000], '登录失败次数过多，请2分钟后重试'],
    ['both: the longer wait counts', [9, NOW + 60_000], [99, NOW + 600_000], '登录失败次数过多，请10分钟后重试'],
    ['the window ends this moment', [9, NOW], undefined, '登录失败次数过多，请1分钟后重试'],
  ])('%s', (_, atAddress, inWideBlock, message) => {
    const found = checkAttempts(
      [
        { attempts: atAddress, limit: failures },
        { attempts: inWideBlock, limit: failuresPerWideBlock },
      ],
      NOW,
    )
    expect(found && toMessage(found)).toBe(message)
  })
})

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
    expect(attempts).toBeLessThanOrEqual(allowanceOf(bits, 50))
  })

  it('the work that is asked is the least that is looked at', () => {
    for (const failed of [0, 19, 20, 40, 79, 80, 900]) {
      const found = { address: failed, wideBlock: 0, account: failed }
      const bits = requiredBits(found)
      expect(found.account).toBeLessThan(allowedFailures(bits).account)
      const less = bits === 0 ? 0 : allowedFailures(bits - 1).account
      expect(found.account).toBeGreaterThanOrEqual(less)
    }
    expect(requiredBits({ address: 0, wideBlock: 0, account: LOGIN_WORK.perAccount })).toBe(PROOF.bitsMin)
  })

  it.each([
    [[0, 0, 0x7f], 0],
    [[0, 0, 0x3f], 18],
    [[0, 0, 0x1f], 19],
    [[0, 0, 0x03], 22],
    [[0, 0, 0, 0], 22],
  ])('a digest of %j proves %i bits', (digest, bits) => expect(provenBits(new Uint8Array(digest))).toBe(bits))
})
