import { createHash } from 'node:crypto'
import type { Fake, FakeReply } from '../arrivals.ts'
import { FAKE_APPS, FAULTS, type SignInDesk, isTrusted } from './desk.ts'
import { createLoginPage } from './login-page.ts'

const { appId, secret, tenant } = FAKE_APPS.feishu

const grantFailed = (code: number, error: string, error_description: string): FakeReply => ({
  status: 400,
  body: { code, error, error_description },
})

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

type Handler = (sent: Readonly<Record<string, string | undefined>>, desk: SignInDesk, bearer: string) => FakeReply

const HANDLERS: Readonly<Record<string, Handler>> = {
  '/open-apis/auth/v3/tenant_access_token/internal': (sent, desk) => {
    if (sent['app_id'] !== appId) return { body: { code: 10003, msg: 'invalid param' } }
    if (sent['app_secret'] !== secret) return { body: { code: 10014, msg: 'app secret invalid' } }
    const tenant_access_token = desk.issueToken('feishu', null)
    return { body: { code: 0, msg: 'ok', tenant_access_token, expire: 7200 } }
  },
  '/open-apis/authen/v2/oauth/token': (sent, desk) => {
    if (sent['client_id'] !== appId || sent['client_secret'] !== secret)
      return grantFailed(20002, 'invalid_client', 'The client secret is invalid.')
    const found = desk.consumeCode('feishu', sent['code'] ?? '')
    if (!found) return grantFailed(20003, 'invalid_grant', 'The authorization code is not found.')
    if (found.redirectUri !== sent['redirect_uri'])
      return grantFailed(20071, 'invalid_grant', 'The redirect uri does not match.')
    if (found.challenge !== '' && found.challenge !== challengeOf(sent['code_verifier'] ?? ''))
      return grantFailed(20049, 'invalid_grant', 'PKCE code challenge failed.')
    const access_token = desk.issueToken('feishu', found.person)
    const scope = 'contact:user.phone:readonly'
    return { body: { code: 0, access_token, expires_in: 7200, token_type: 'Bearer', scope } }
  },
  '/open-apis/authen/v1/user_info': (_, desk, bearer) => {
    const person = desk.readToken('feishu', bearer)?.person
    if (!person) return { status: 400, body: { code: 20005, msg: 'The user access token passed is invalid.' } }
    const data = {
      name: person.name,
      open_id: `ou_${person.id}`,
      union_id: `on_${person.id}`,
      tenant_key: person.isOutsider ? 'another0tenant' : tenant,
      ...(person.phone !== '' && { mobile: `+${person.areaCode}${person.phone}` }),
    }
    return { body: { code: 0, msg: 'success', data } }
  },
}

/** 飞书: the application's token, the person's token, and who they are. Mode `ip`: with IP 白名单. */
export const createFeishuApi =
  (desk: SignInDesk): Fake =>
  ({ from, path, headers, body }, arrivals) => {
    const mode = arrivals.mode('feishu-app')
    if (FAULTS[mode]) return FAULTS[mode]
    if (!isTrusted(mode, from)) return { body: { code: 99991401, msg: `ip ${from} is denied by app setting` } }
    const bearer = (headers['authorization'] ?? '').replace('Bearer ', '')
    return HANDLERS[path]?.(parse(body), desk, bearer) ?? { status: 404, body: { code: 99991400, msg: 'not found' } }
  }

function parse(body: string): Readonly<Record<string, string | undefined>> {
  try {
    return JSON.parse(body) as Record<string, string>
  } catch {
    return {}
  }
}

export const createFeishuLogin = (desk: SignInDesk): Fake =>
  createLoginPage(desk, {
    vendor: 'feishu',
    title: '飞书授权',
    path: '/open-apis/authen/v1/authorize',
    codeParameter: 'code',
    isInApp: false,
    problem: (query) =>
      query.get('client_id') !== appId
        ? '应用不存在'
        : query.get('response_type') !== 'code'
          ? 'response_type 不正确'
          : query.has('code_challenge') && query.get('code_challenge_method') !== 'S256'
            ? 'code_challenge_method 不正确'
            : null,
    wrongCallback: '20029 redirect_uri 请求不合法',
  })
