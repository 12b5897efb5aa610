import { expect, it } from 'vitest'
import { readFailure, toTemporaryFailure } from '#infra/agent/drivers/linux/openvpn/temporary-failure.ts'

/** Reasons of refusals, as the client's OpenVPN gives them to its management interface. */
it.each([
  ['拨入凭证不正确，请在客户端重新登录', '拨入凭证不正确，请在客户端重新登录', false],
  [toTemporaryFailure('拨入请求较多，请稍候重试', 15), '拨入请求较多，请稍候重试', true],
  ['TEMP[backoff 42,advance no]: No free IP addresses', ' No free IP addresses', true],
  ['TEMP:later [really]', 'later [really]', true],
  ['TEMP[backoff 3]', '', true],
  ['TEMP', '', true],
  ['SESSION: token expired', 'SESSION: token expired', false],
  ['', '', false],
])('%j says %j', (reason, sentence, isTemporary) => {
  expect(readFailure(reason)).toEqual({ sentence, isTemporary })
})
