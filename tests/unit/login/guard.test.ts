import { expect, it } from 'vitest'
import { toMessage } from '../../../worker/contract/errors.ts'
import { LOGIN_GUARD } from '../../../worker/contract/limits.ts'
import { type Attempts, checkAttempts } from '../../../worker/domain/login/guard.ts'

const NOW = 1_000_000
const { failures, perAddress } = LOGIN_GUARD

it.each<[string, Attempts, Attempts, string | null]>([
  ['first try', [1, NOW + 900_000], [1, NOW + 900_000], null],
  ['last allowed try', [failures, NOW + 900_000], [perAddress, NOW + 900_000], null],
  ['one too many for the name', [failures + 1, NOW + 900_000], [1, NOW], '登录失败次数过多，请15分钟后重试'],
  ['one too many for the address', [1, NOW], [perAddress + 1, NOW + 61_000], '登录失败次数过多，请2分钟后重试'],
  ['both: the longer wait counts', [9, NOW + 60_000], [99, NOW + 600_000], '登录失败次数过多，请10分钟后重试'],
  ['the window ends this moment', [9, NOW], [1, NOW], '登录失败次数过多，请1分钟后重试'],
])('%s', (_, byName, byAddress, message) => {
  const found = checkAttempts(byName, byAddress, NOW)
  expect(found && toMessage(found)).toBe(message)
})
