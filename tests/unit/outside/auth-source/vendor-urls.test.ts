import { createHmac } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { createAuthVendors } from '#outside/auth-source/vendors.ts'

const ENV = { ENVIRONMENT: 'production' } as Env
const APP = { type: 'wechat', appId: 'ww1', appSecret: 's', agentId: '1000002', corpId: 'ding1' } as const
const REQUEST = {
  redirectUri: 'https://console.netloom.cn/auth/callback',
  state: 'abc',
  challenge: 'x1',
  inApp: false,
} as const
const BACK = 'https%3A%2F%2Fconsole.netloom.cn%2Fauth%2Fcallback'

// facts of the vendors: document/path/98171, 96441; obtain-oauth-code; login.dingtalk.com/oauth2/auth
it.each([
  [
    'wechat',
    false,
    `https://login.work.weixin.qq.com/wwlogin/sso/login?login_type=CorpApp&appid=ww1&agentid=1000002&redirect_uri=${BACK}&state=abc&lang=zh`,
  ],
  [
    'wechat',
    true,
    `https://open.weixin.qq.com/connect/oauth2/authorize?appid=ww1&redirect_uri=${BACK}&response_type=code&scope=snsapi_privateinfo&state=abc&agentid=1000002#wechat_redirect`,
  ],
  [
    'feishu',
    false,
    `https://accounts.feishu.cn/open-apis/authen/v1/authorize?client_id=ww1&redirect_uri=${BACK}&response_type=code&scope=contact%3Auser.phone%3Areadonly&state=abc&code_challenge=x1&code_challenge_method=S256`,
  ],
  [
    'dingtalk',
    false,
    `https://login.dingtalk.com/oauth2/auth?redirect_uri=${BACK}&response_type=code&client_id=ww1&scope=openid+corpid&state=abc&prompt=consent`,
  ],
] as const)('%s sends browsers to its own page (in its application: %s)', (type, inApp, url) => {
  expect(createAuthVendors(ENV)[type].authorizeUrl({ ...APP, type }, { ...REQUEST, inApp })).toBe(url)
})

it('calls go through the relay with a signature over time, method, path and body', async () => {
  const sent: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    return Response.json({ accessToken: 't' })
  })
  const env = { ...ENV, EGRESS_PROXY_BASE: 'https://relay.netloom.cn/out/', EGRESS_PROXY_KEY: 'relay-key' }
  await createAuthVendors(env).dingtalk.probe({ ...APP, type: 'dingtalk' })
  const [{ url, init }] = sent as [(typeof sent)[0]]
  expect(url).toBe('https://relay.netloom.cn/out/api.dingtalk.com/v1.0/oauth2/accessToken')
  const headers = new Headers(init.headers)
  const text = [headers.get('x-relay-time'), 'POST', '/api.dingtalk.com/v1.0/oauth2/accessToken', init.body].join('\n')
  expect(headers.get('x-relay-signature')).toBe(createHmac('sha256', 'relay-key').update(text).digest('base64url'))
  vi.unstubAllGlobals()
})

it('a relay without its key is a fault of calls to vendors, and of nothing else', async () => {
  const env = { ...ENV, EGRESS_PROXY_BASE: 'https://relay.netloom.cn' }
  const { feishu } = createAuthVendors(env)
  await expect(feishu.probe({ ...APP, type: 'feishu' })).rejects.toThrow('EGRESS_PROXY_KEY')
})
