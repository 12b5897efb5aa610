import type { Fake, FakeReply } from '../arrivals.ts'
import { FAKE_APPS, FAULTS, PEOPLE, type SignInDesk, isTrusted } from './desk.ts'
import { createLoginPage } from './login-page.ts'

const { appId, secret, corpId } = FAKE_APPS.dingtalk

const failed = (code: string, message: string): FakeReply => ({
  status: 400,
  body: { code, message, requestid: '0000-FAKE-REQUEST' },
})

type Handler = (sent: Readonly<Record<string, string>>, desk: SignInDesk, token: string) => FakeReply

const WRONG_SECRET = failed('invalidClientIdOrSecret', '无效的clientId或者clientSecret')

const HANDLERS: Readonly<Record<string, Handler>> = {
  '/v1.0/oauth2/accessToken': (sent, desk) =>
    sent['appKey'] === appId && sent['appSecret'] === secret
      ? { body: { accessToken: desk.issueToken('dingtalk', null), expireIn: 7200 } }
      : WRONG_SECRET,
  '/v1.0/oauth2/userAccessToken': (sent, desk) => {
    if (sent['clientId'] !== appId || sent['clientSecret'] !== secret) return WRONG_SECRET
    const found = desk.consumeCode('dingtalk', sent['code'] ?? '')
    if (!found) return failed('invalidParameter.authCode.notFound', '不存在的临时授权码')
    const accessToken = desk.issueToken('dingtalk', found.person)
    return { body: { accessToken, refreshToken: 'r', expireIn: 7200, corpId } }
  },
  '/v1.0/contact/users/me': (_, desk, token) => {
    const person = desk.readToken('dingtalk', token)?.person
    if (!person) return failed('InvalidAuthentication', '不合法的access_token')
    const phone = person.phone === '' ? {} : { mobile: person.phone, stateCode: person.areaCode }
    return { body: { nick: person.name, openId: `op-${person.id}`, unionId: `un-${person.id}`, ...phone } }
  },
}

/** 钉钉, api.dingtalk.com: the application's token, the person's token, and who they are. Mode `ip`: with 服务器出口IP. */
export const createDingtalkApi =
  (desk: SignInDesk): Fake =>
  ({ from, path, headers, body }, arrivals) => {
    const mode = arrivals.mode('dingtalk-app')
    if (FAULTS[mode]) return FAULTS[mode]
    if (!isTrusted(mode, from))
      return failed('Forbidden.AccessDenied.IpNotInWhiteList', `访问ip不在白名单之中,request ip=${from}`)
    const sent = body === '' ? {} : (JSON.parse(body) as Record<string, string>)
    const token = headers['x-acs-dingtalk-access-token'] ?? ''
    return HANDLERS[path]?.(sent, desk, token) ?? failed('InvalidAction.NotFound', 'not found')
  }

/** oapi.dingtalk.com: whether somebody is of the organisation. */
export const createDingtalkMembers =
  (desk: SignInDesk): Fake =>
  ({ from, path, query, body }, arrivals) => {
    if (path !== '/topapi/user/getbyunionid') return { status: 404, body: 'not found' }
    if (!isTrusted(arrivals.mode('dingtalk-members'), from))
      return { body: { errcode: 60020, errmsg: `访问ip不在白名单之中,request ip=${from}` } }
    if (!desk.readToken('dingtalk', query.get('access_token') ?? ''))
      return { body: { errcode: 40014, errmsg: '不合法的access_token' } }
    const { unionid = '' } = JSON.parse(body) as { unionid?: string }
    const id = unionid.replace(/^un-/, '')
    if (PEOPLE.some((person) => person.id === id && person.isOutsider))
      return { body: { errcode: 60121, errmsg: '找不到该用户' } }
    return { body: { errcode: 0, errmsg: 'ok', result: { contact_type: 0, userid: id } } }
  }

export const createDingtalkLogin = (desk: SignInDesk): Fake =>
  createLoginPage(desk, {
    vendor: 'dingtalk',
    title: '钉钉登录',
    path: '/oauth2/auth',
    codeParameter: 'authCode',
    isInApp: false,
    problem: (query) =>
      query.get('client_id') !== appId
        ? '应用不存在'
        : query.get('scope')?.startsWith('openid')
          ? null
          : 'scope 不正确',
    wrongCallback: '回调域名不在应用的安全设置中',
  })
