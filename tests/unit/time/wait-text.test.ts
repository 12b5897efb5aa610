import { expect, it } from 'vitest'
import { ERRORS, toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { waitText } from '#contract/kernel/time.ts'

it('a wait is shown in seconds, from two minutes on in minutes', () => {
  expect([1, 59, 119, 120, 121, 3_571].map(waitText)).toEqual(['1秒', '59秒', '119秒', '2分钟', '3分钟', '60分钟'])
})

it('every refusal with a wait shows it so', () => {
  expect(toMessage(violation('TOO_OFTEN', { retry_after: 3_571 }))).toBe('操作过于频繁，请60分钟后重试')
  expect(toMessage(violation('HASHING_BUSY', { retry_after: 3 }))).toBe('当前请求较多，请3秒后重试')
  expect(Object.values(ERRORS).filter(({ msg }) => msg.includes('{retry_after}'))).toEqual([])
})
