import type { Fake, FakeReply, FakeRequest } from '../arrivals.ts'
import { FAKE_APPS, FAULTS, type SignInDesk, isTrusted } from './desk.ts'
import { createLoginPage } from './login-page.ts'

const { appId, agentId, secret } = FAKE_APPS.wecom

const failed = (errcode: number, errmsg: string, from = '203.0.113.9'): FakeReply => ({
  body: {
    errcode,
    errmsg: `${errmsg}, hint: [1700000000000123456789012], from ip: ${from}, more info at https://open.work.weixin.qq.com/devtool/query?e=${errcode}`,
  },
})
const ok = (more: object): FakeReply => ({ body: { errcode: 0, errmsg: 'ok', ...more } })

type Handler = (request: FakeRequest, desk: SignInDesk) => FakeReply

const gettoken: Handler = ({ query }, desk) => {
  if (query.get('corpid') !== appId) return failed(40013, 'invalid corpid')
  if (query.get('corpsecret') !== secret) return failed(40001, 'invalid credential')
  return ok({ access_token: desk.issueToken('wecom', null), expires_in: 7200 })
}

const WITH_TOKEN: Readonly<Record<string, Handler>> = {
  '/cgi-bin/agent/get': ({ query }) =>
    query.get('agentid') === agentId
      ? ok({ agentid: Number(agentId), name: '织联客户端' })
      : failed(301002, 'no privilege to access/modify contact/party/agent'),
  '/cgi-bin/auth/getuserinfo': ({ query }, desk) => {
    const found = desk.consumeCode('wecom', query.get('code') ?? '')
    if (!found) return failed(40029, 'invalid code')
    const { person, isInApp } = found
    if (person.isOutsider) return ok({ openid: `o-${person.id}` })
    return ok({ userid: person.id, ...(isInApp && { user_ticket: desk.issueToken('wecom', person) }) })
  },
  '/cgi-bin/auth/getuserdetail': ({ body }, desk) => {
    const { user_ticket = '' } = JSON.parse(body) as { user_ticket?: string }
    const person = desk.readToken('wecom', user_ticket)?.person
    if (!person) return failed(40125, 'invalid user_ticket')
    return ok({ userid: person.id, gender: '1', ...(person.phone !== '' && { mobile: person.phone }) })
  },
}

/** 企业微信: tokens, codes and details of people. Mode `ip`: with 企业可信IP. */
export const createWecomApi =
  (desk: SignInDesk): Fake =>
  (request, arrivals) => {
    const mode = arrivals.mode('wecom-app')
    const { from, path, query } = request
    if (FAULTS[mode]) return FAULTS[mode]
    if (!isTrusted(mode, from)) return failed(60020, 'not allow to access from your ip', from)
    if (path === '/cgi-bin/gettoken') return gettoken(request, desk)
    if (!desk.readToken('wecom', query.get('access_token') ?? '')) return failed(40014, 'invalid access_token')
    return WITH_TOKEN[path]?.(request, desk) ?? { status: 404, body: 'not found' }
  }

const problemOf = (query: URLSearchParams): string | null =>
  query.get('appid') !== appId || query.get('agentid') !== agentId ? '应用不存在（invalid appid or agentid）' : null
const WRONG_CALLBACK = 'redirect_uri 与配置的授权完成回调域名不一致（50001）'

export const createWecomLogin = (desk: SignInDesk): Fake =>
  createLoginPage(desk, {
    vendor: 'wecom',
    title: '企业微信登录',
    path: '/wwlogin/sso/login',
    codeParameter: 'code',
    isInApp: false,
    problem: (query) => (query.get('login_type') === 'CorpApp' ? problemOf(query) : 'login_type 不正确'),
    wrongCallback: WRONG_CALLBACK,
  })

export const createWecomOauth = (desk: SignInDesk): Fake =>
  createLoginPage(desk, {
    vendor: 'wecom',
    title: '企业微信（应用内）',
    path: '/connect/oauth2/authorize',
    codeParameter: 'code',
    isInApp: true,
    problem: (query) => (query.get('scope') === 'snsapi_privateinfo' ? problemOf(query) : 'scope 不正确'),
    wrongCallback: WRONG_CALLBACK,
  })
