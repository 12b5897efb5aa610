import type { AuthVendor, VendorCredentials, VendorRefusal } from '#contract/auth-source/vendor.ts'
import { type VendorApi, type VendorReply, postJson, refusedWith, readVendorPhone, readText } from './vendor-api.ts'

/* Sign-in by WeCom (企业微信), with self-built applications. */

/** Form field of an error code of WeCom (developer.work.weixin.qq.com/document/path/90313); by default the secret. */
const FIELD: Readonly<Record<number, VendorRefusal['field']>> = {
  40013: 'app_id',
  40056: 'agent_id',
  301002: 'agent_id',
}

/**
 * Calls of document/path/98171, 91023 and 96441. The QR code in a browser gives only the user id. The phone comes only from
 * a page that is opened in WeCom itself, with scope snsapi_privateinfo.
 */
export const createWechat = (api: VendorApi): AuthVendor => {
  const askToken = async ({ appId, appSecret }: VendorCredentials) => {
    const query = new URLSearchParams({ corpid: appId, corpsecret: appSecret })
    const reply = await api.call('WECOM_APP', `/cgi-bin/gettoken?${query}`)
    if (reply === null || typeof reply['errcode'] !== 'number') return 'unreachable'
    const token = readText(reply, 'access_token')
    return reply['errcode'] === 0 && token !== '' ? { token } : toRefusal(reply, [appSecret])
  }
  /** Reads the details of the agent, because the token does not name its agent. */
  const askAgent = async ({ agentId, appSecret }: VendorCredentials, token: string) => {
    const query = new URLSearchParams({ access_token: token, agentid: agentId })
    const reply = await api.call('WECOM_APP', `/cgi-bin/agent/get?${query}`)
    if (reply === null || typeof reply['errcode'] !== 'number') return 'unreachable'
    return reply['errcode'] === 0 ? null : toRefusal(reply, [token, appSecret])
  }
  return {
    async probe(credentials) {
      const granted = await askToken(credentials)
      if (granted === 'unreachable' || 'refused' in granted) return granted
      return (await askAgent(credentials, granted.token)) ?? { tenant: credentials.appId }
    },
    authorizeUrl({ appId, agentId }, { redirectUri, state, inApp }) {
      if (!inApp)
        return api.browserUrl('WECOM_LOGIN', '/wwlogin/sso/login', {
          login_type: 'CorpApp',
          appid: appId,
          agentid: agentId,
          redirect_uri: redirectUri,
          state,
          lang: 'zh',
        })
      const query = {
        appid: appId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'snsapi_privateinfo',
        state,
        agentid: agentId,
      }
      return `${api.browserUrl('WECOM_OAUTH', '/connect/oauth2/authorize', query)}#wechat_redirect`
    },
    async identify(credentials, { code }) {
      const granted = await askToken(credentials)
      if (granted === 'unreachable' || 'refused' in granted) return granted
      const { token } = granted
      const secrets = [token, credentials.appSecret, code]
      const query = new URLSearchParams({ access_token: token, code })
      const user = await api.call('WECOM_APP', `/cgi-bin/auth/getuserinfo?${query}`)
      if (user === null || typeof user['errcode'] !== 'number') return 'unreachable'
      if (user['errcode'] !== 0) return toRefusal(user, secrets)
      const userId = readText(user, 'userid')
      if (userId === '') return refusedWith('outsider', 'not a member of the corporation', 'app_id', secrets)
      const identity = { tenant: credentials.appId, userId, areaCode: '', phone: '' }
      const ticket = readText(user, 'user_ticket')
      if (ticket === '') return identity
      const path = `/cgi-bin/auth/getuserdetail?${new URLSearchParams({ access_token: token })}` as const
      const detail = await api.call('WECOM_APP', path, postJson({ user_ticket: ticket }))
      if (detail === null || typeof detail['errcode'] !== 'number') return 'unreachable'
      if (detail['errcode'] !== 0) return toRefusal(detail, [...secrets, ticket])
      // Details of another person would bind a wrong phone to this user.
      if (readText(detail, 'userid') !== userId) return 'unreachable'
      return { ...identity, ...readVendorPhone(readText(detail, 'mobile')) }
    },
  }
}

const toRefusal = (reply: VendorReply, secrets: readonly string[]): VendorRefusal => {
  const code = Number(reply['errcode'])
  return refusedWith(String(code), readText(reply, 'errmsg'), FIELD[code] ?? 'app_secret', secrets)
}
