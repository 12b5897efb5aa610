import { loginApi } from '#contract/login/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { DEMO_PASSWORD } from '#infra/demo/data.ts'
import { callEndpoint, outboxCode } from './api.ts'

interface Cookie {
  readonly name: string
  readonly value: string
}

/** Signs in to the demo for browser pages. Each page rotates the refresh cookie; `keep` carries the newest one over. */
export async function refreshCookie(origin: string) {
  const { uniqid } = await callEndpoint(origin, '/api/v1', verifyApi.code, {})
  const code = await outboxCode(origin, 'captcha', { uniqid })
  const form = { username: 'demo01', password: DEMO_PASSWORD, code, uniqid }
  let header = ''
  await callEndpoint(origin, '/api/v1', loginApi.account, form, '', (headers) => {
    header = headers.get('set-cookie') ?? ''
  })
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
  let cookie: Cookie = { name, value }
  const current = () => cookie
  current.keep = (cookies: readonly Cookie[]) => {
    const newest = cookies.find((one) => one.name === name)
    if (newest) cookie = { name, value: newest.value }
  }
  return current
}
