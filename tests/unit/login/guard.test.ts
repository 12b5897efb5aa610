import { describe, expect, it } from 'vitest'
import { toMessage } from '#contract/kernel/errors.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { type Attempts, checkAttempts } from '#domain/login/guard.ts'

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
