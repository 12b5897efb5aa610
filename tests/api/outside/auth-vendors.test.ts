import { env } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import type { AuthSourceType } from '#contract/auth-source/index.ts'
import type { VendorCredentials } from '#contract/auth-source/vendor.ts'
import { createVendorApi } from '#outside/auth-source/vendor-api.ts'
import { createAuthVendors } from '#outside/auth-source/vendors.ts'
import { createWechat } from '#outside/auth-source/wechat.ts'
import { challengeOf } from '#security/auth-source.ts'
import { openFakes } from '#tests/support/fake-services.ts'
import { FAKE_APPS } from '#tests/support/fakes/sign-in/desk.ts'
import { RELAY_KEY } from '#tests/support/fakes/sign-in/relay.ts'

const { clearFakes, fakes, setModes } = openFakes('auth')
const vendors = createAuthVendors({ ...env, ...fakes.bindings })
const REDIRECT = 'https://console.netloom.cn/auth/callback'
const VERIFIER = 'v'.repeat(43)
const back = (code: string, verifier = VERIFIER) => ({ code, redirectUri: REDIRECT, verifier })

const RIGHT: Readonly<Record<AuthSourceType, VendorCredentials>> = {
  wechat: {
    type: 'wechat',
    appId: FAKE_APPS.wecom.appId,
    appSecret: FAKE_APPS.wecom.secret,
    agentId: FAKE_APPS.wecom.agentId,
    corpId: '',
  },
  feishu: {
    type: 'feishu',
    appId: FAKE_APPS.feishu.appId,
    appSecret: FAKE_APPS.feishu.secret,
    agentId: '',
    corpId: '',
  },
  dingtalk: {
    type: 'dingtalk',
    appId: FAKE_APPS.dingtalk.appId,
    appSecret: FAKE_APPS.dingtalk.secret,
    agentId: '',
    corpId: FAKE_APPS.dingtalk.corpId,
  },
}
const TENANT = { wechat: FAKE_APPS.wecom.appId, feishu: '', dingtalk: FAKE_APPS.dingtalk.corpId } as const
const API = { wechat: 'wecom-app', feishu: 'feishu-app', dingtalk: 'dingtalk-app' } as const
const TYPES = ['wechat', 'feishu', 'dingtalk'] as const

/** The person chooses themselves on the vendor's page; the code that their browser brings back. */
async function authorize(
  type: AuthSourceType,
  who: Readonly<Record<string, string>>,
  { inApp = false, redirectUri = REDIRECT } = {},
) {
  const request = { redirectUri, state: 'f'.repeat(32), challenge: await challengeOf(VERIFIER), inApp }
  const url = new URL(vendors[type].authorizeUrl(RIGHT[type], request))
  const page = await fetch(url)
  expect(await page.text()).toContain('谁在登录？')
  url.pathname = url.pathname.replace(/^(\/[\w-]+)\/.*$/, '$1/choose')
  for (const [name, value] of Object.entries(who)) url.searchParams.set(name, value)
  const sent = await fetch(url, { redirect: 'manual' })
  const back = new URL(sent.headers.get('location') ?? 'about:blank')
  expect(back.searchParams.get('state')).toBe('f'.repeat(32))
  return back.searchParams.get(type === 'dingtalk' ? 'authCode' : 'code') ?? ''
}

afterEach(clearFakes)

describe('directory 6 · credentials', () => {
  it.each(TYPES)('%s accepts right ones', async (type) => {
    expect(await vendors[type].probe(RIGHT[type])).toEqual({ tenant: TENANT[type] })
  })

  it.each([
    ['wechat', { appId: 'ww1' }, '40013', 'app_id', 'invalid corpid'],
    ['wechat', { appSecret: 'wrong' }, '40001', 'app_secret', 'invalid credential'],
    ['wechat', { agentId: '9' }, '301002', 'agent_id', 'no privilege to access/modify contact/party/agent'],
    ['feishu', { appId: 'cli_1' }, '10003', 'app_id', 'invalid param'],
    ['feishu', { appSecret: 'wrong' }, '10014', 'app_secret', 'app secret invalid'],
    ['dingtalk', { appSecret: 'wrong' }, 'invalidClientIdOrSecret', 'app_secret', '无效的clientId或者clientSecret'],
  ] as const)('%s refuses %j with its code on its field', async (type, over, code, field, message) => {
    const found = await vendors[type].probe({ ...RIGHT[type], ...over })
    expect(found).toEqual({ refused: true, code, field, message })
  })

  it.each([
    ['wechat', '60020', 'not allow to access from your ip'],
    ['feishu', '99991401', 'ip *** is denied by app setting'],
    ['dingtalk', 'Forbidden.AccessDenied.IpNotInWhiteList', '访问ip不在白名单之中,request ip=***'],
  ] as const)(
    '%s: a call from an address that is not trusted is refused, without the address',
    async (type, ...said) => {
      await setModes({ [API[type]]: 'ip' })
      const [code, message] = said
      expect(await vendors[type].probe(RIGHT[type])).toEqual({ refused: true, code, field: 'app_secret', message })
      expect(await vendors[type].identify(RIGHT[type], back('code'))).toMatchObject({
        refused: true,
        code,
        message,
      })
    },
  )

  it.each(TYPES)('%s: a call through the relay comes from its trusted address', async (type) => {
    await setModes({ [API[type]]: 'ip' })
    const relay = { EGRESS_PROXY_BASE: `http://127.0.0.1:${fakes.ports.relay}`, EGRESS_PROXY_KEY: RELAY_KEY }
    expect(await createAuthVendors({ ...env, ...relay })[type].probe(RIGHT[type])).toEqual({ tenant: TENANT[type] })
    const stranger = createAuthVendors({ ...env, ...relay, EGRESS_PROXY_KEY: 'another' })
    expect(await stranger[type].probe(RIGHT[type])).toBe('unreachable')
  })

  it('dingtalk: who is of the organisation is asked from a trusted address, too', async () => {
    const code = await authorize('dingtalk', { person: 'zhangwei' })
    await setModes({ 'dingtalk-members': 'ip' })
    expect(await vendors.dingtalk.identify(RIGHT.dingtalk, back(code))).toMatchObject({ code: '60020' })
  })

  it.each(TYPES.flatMap((type) => (['http500', 'html', 'list'] as const).map((mode) => [type, mode] as const)))(
    '%s: an answer that is not the vendor’s (%s) is none',
    async (type, mode) => {
      await setModes({ [API[type]]: mode })
      expect(await vendors[type].probe(RIGHT[type])).toBe('unreachable')
      expect(await vendors[type].identify(RIGHT[type], back('code'))).toBe('unreachable')
    },
  )

  it('one that does not answer is given up', async () => {
    await setModes({ 'feishu-app': 'timeout' })
    expect(await vendors.feishu.probe(RIGHT.feishu)).toBe('unreachable')
  })
})

describe('directory 6 · who signs in', () => {
  it.each([
    ['wechat', { tenant: FAKE_APPS.wecom.appId, userId: 'zhangwei', areaCode: '', phone: '' }],
    ['feishu', { tenant: FAKE_APPS.feishu.tenant, userId: 'ou_zhangwei', areaCode: '86', phone: '13900010003' }],
    ['dingtalk', { tenant: FAKE_APPS.dingtalk.corpId, userId: 'un-zhangwei', areaCode: '86', phone: '13900010003' }],
  ] as const)('%s tells a member', async (type, identity) => {
    const code = await authorize(type, { person: 'zhangwei' })
    expect(await vendors[type].identify(RIGHT[type], back(code))).toEqual(identity)
  })

  it('wechat tells the phone in its own application only', async () => {
    const code = await authorize('wechat', { person: 'zhangwei' }, { inApp: true })
    const found = await vendors.wechat.identify(RIGHT.wechat, back(code))
    expect(found).toMatchObject({ userId: 'zhangwei', areaCode: '86', phone: '13900010003' })
  })

  it.each(TYPES)('%s: a code is good once', async (type) => {
    const code = await authorize(type, { person: 'zhangwei' })
    await vendors[type].identify(RIGHT[type], back(code))
    expect(await vendors[type].identify(RIGHT[type], back(code))).toMatchObject({ refused: true })
    expect(await vendors[type].identify(RIGHT[type], back('forged'))).toMatchObject({ refused: true })
  })

  it.each(['wechat', 'dingtalk'] as const)('%s: somebody of another organisation is refused', async (type) => {
    const code = await authorize(type, { person: 'outsider' })
    expect(await vendors[type].identify(RIGHT[type], back(code))).toMatchObject({ code: 'outsider' })
  })

  it('feishu: somebody of another organisation has another tenant', async () => {
    const code = await authorize('feishu', { person: 'outsider' })
    const found = await vendors.feishu.identify(RIGHT.feishu, back(code))
    expect(found).toMatchObject({ tenant: 'another0tenant' })
  })

  it('feishu: a code of another callback is refused', async () => {
    const code = await authorize(
      'feishu',
      { person: 'zhangwei' },
      { redirectUri: 'https://login.qiming.example/auth/callback' },
    )
    expect(await vendors.feishu.identify(RIGHT.feishu, back(code))).toMatchObject({ code: '20071' })
  })

  it('feishu: a code without the verifier of its request is refused (RFC 7636)', async () => {
    const code = await authorize('feishu', { person: 'zhangwei' })
    expect(await vendors.feishu.identify(RIGHT.feishu, back(code, 'w'.repeat(43)))).toMatchObject({ code: '20049' })
  })

  it.each(TYPES)('%s: who does not agree comes back without a code', async (type) => {
    expect(await authorize(type, { person: 'denied' })).toBe('')
  })

  it.each(['feishu', 'dingtalk'] as const)('%s: without the right to phones there is none', async (type) => {
    const code = await authorize(type, { person: 'nophone' })
    expect(await vendors[type].identify(RIGHT[type], back(code))).toMatchObject({ areaCode: '', phone: '' })
  })

  it.each([
    ['13900010003', '86', '13900010003'],
    ['+8613900010003', '86', '13900010003'],
    ['+852-91234567', '852', '91234567'],
    ['+1 2025550123', '1', '2025550123'],
    ['0571-88888888', '', ''],
    ['', '', ''],
  ])('wechat: %s is +%s %s', async (mobile, areaCode, phone) => {
    const replies: Readonly<Record<string, object>> = {
      gettoken: { access_token: 't' },
      getuserinfo: { userid: 'u', user_ticket: 'k' },
      getuserdetail: { userid: 'u', mobile },
    }
    const outbound = {
      toProvider: async (_: string, path: string) => ({
        status: 200,
        headers: new Headers(),
        text: '',
        isCut: false,
        json: () => ({ errcode: 0, ...replies[/\/(\w+)\?/.exec(path)?.[1] ?? ''] }),
      }),
    }
    const wechat = createWechat(createVendorApi({ outbound, toUrl: () => new URL('https://x.example') }))
    expect(await wechat.identify(RIGHT.wechat, back('c'))).toMatchObject({ areaCode, phone })
  })

  it('wechat: details of somebody else are no answer', async () => {
    const outbound = {
      toProvider: async (_: string, path: string) => ({
        status: 200,
        headers: new Headers(),
        text: '',
        isCut: false,
        json: () => ({
          errcode: 0,
          access_token: 't',
          user_ticket: 'k',
          userid: path.includes('getuserdetail') ? 'other' : 'u',
          mobile: '13900010003',
        }),
      }),
    }
    const wechat = createWechat(createVendorApi({ outbound, toUrl: () => new URL('https://x.example') }))
    expect(await wechat.identify(RIGHT.wechat, back('c'))).toBe('unreachable')
  })
})
