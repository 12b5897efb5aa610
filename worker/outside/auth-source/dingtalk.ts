import type { AuthVendor, VendorCredentials, VendorRefusal } from '#contract/auth-source/vendor.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { dialCodeText, phoneText } from '#contract/kernel/input/phone.ts'
import { type VendorApi, type VendorReply, postJson, refusedWith, readText } from './vendor-api.ts'

/* Sign-in by DingTalk (钉钉), with internal applications of an organisation. */

/** Code of `getbyunionid`: nobody of the organisation has this id. */
const NOT_IN_CORP = 60_121

/**
 * Calls of open.dingtalk.com: login.dingtalk.com/oauth2/auth, userAccessToken, contact/users/me, getbyunionid. The callback
 * has the code as `authCode`. A success has no `code`; that of an error is a word.
 */
export const createDingtalk = (api: VendorApi): AuthVendor => {
  const askToken = async ({ appId, appSecret }: VendorCredentials) => {
    const reply = await api.call('DINGTALK_APP', '/v1.0/oauth2/accessToken', postJson({ appKey: appId, appSecret }))
    if (reply === null) return 'unreachable'
    const token = readText(reply, 'accessToken')
    return token === '' ? toRefusal(reply, [appSecret]) : { token }
  }
  return {
    async probe(credentials) {
      const granted = await askToken(credentials)
      return granted === 'unreachable' || 'refused' in granted ? granted : { tenant: credentials.corpId }
    },
    authorizeUrl: ({ appId }, { redirectUri, state }) =>
      api.browserUrl('DINGTALK_LOGIN', '/oauth2/auth', {
        redirect_uri: redirectUri,
        response_type: 'code',
        client_id: appId,
        scope: 'openid corpid',
        state,
        prompt: 'consent',
      }),
    async identify(credentials, { code }) {
      const { appId: clientId, appSecret: clientSecret, corpId } = credentials
      const exchange = { clientId, clientSecret, code, grantType: 'authorization_code' }
      const granted = await api.call('DINGTALK_APP', '/v1.0/oauth2/userAccessToken', postJson(exchange))
      if (granted === null) return 'unreachable'
      const token = readText(granted, 'accessToken')
      const secrets = [clientSecret, code, token]
      if (token === '') return toRefusal(granted, secrets)
      const corp = readText(granted, 'corpId')
      if (corp !== '' && corp !== corpId) return outsider
      const me = await api.call('DINGTALK_APP', '/v1.0/contact/users/me', {
        headers: { 'x-acs-dingtalk-access-token': token },
      })
      if (me === null) return 'unreachable'
      const unionId = readText(me, 'unionId')
      if (unionId === '') return toRefusal(me, secrets)
      const stranger = await findStranger(credentials, unionId)
      if (stranger !== null) return stranger
      const areaCode = dialCodeText(readText(me, 'stateCode')) || DIAL_CODE_DEFAULT
      const phone = phoneText(areaCode, readText(me, 'mobile'))
      return { tenant: corpId, userId: unionId, areaCode: phone === '' ? '' : areaCode, phone }
    },
  }

  /** A private account belongs to no organisation, so the organisation's own member list decides. */
  async function findStranger(credentials: VendorCredentials, unionid: string) {
    const own = await askToken(credentials)
    if (own === 'unreachable' || 'refused' in own) return own
    const path = `/topapi/user/getbyunionid?${new URLSearchParams({ access_token: own.token })}` as const
    const reply = await api.call('DINGTALK_MEMBERS', path, postJson({ unionid }))
    if (reply === null || typeof reply['errcode'] !== 'number') return 'unreachable'
    if (reply['errcode'] === NOT_IN_CORP) return outsider
    if (reply['errcode'] === 0) return null
    const { appSecret } = credentials
    return refusedWith(String(reply['errcode']), readText(reply, 'errmsg'), 'app_secret', [appSecret, own.token])
  }
}

const outsider = refusedWith('outsider', 'not a member of the organisation', 'corp_id', [])

/** Refusal of an error reply. A reply that is neither a token nor an error counts as no answer. */
function toRefusal(reply: VendorReply, secrets: readonly string[]): VendorRefusal | 'unreachable' {
  const code = readText(reply, 'code')
  if (code === '') return 'unreachable'
  const field = /appKey|clientId/i.test(code) && !/secret/i.test(code) ? 'app_id' : 'app_secret'
  return refusedWith(code, readText(reply, 'message'), field, secrets)
}
