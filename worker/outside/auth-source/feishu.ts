import type { AuthVendor, VendorRefusal } from '#contract/auth-source/vendor.ts'
import { type VendorApi, type VendorReply, postJson, refusedWith, readVendorPhone, readText } from './vendor-api.ts'

/* Sign-in by Feishu (飞书), with self-built applications. */

/** Codes of an unknown or malformed app_id. Other codes are shown at the secret. */
const OF_APP_ID: readonly number[] = [10_003, 10_012]

/**
 * Authorization code flow with PKCE (open.larkoffice.com: obtain-oauth-code, get-user-access-token, authen-v1/user_info).
 * Only a sign-in tells the tenant of an application.
 */
export const createFeishu = (api: VendorApi): AuthVendor => ({
  async probe({ appId, appSecret }) {
    const path = '/open-apis/auth/v3/tenant_access_token/internal'
    const reply = await api.call('FEISHU_APP', path, postJson({ app_id: appId, app_secret: appSecret }))
    if (reply === null || typeof reply['code'] !== 'number') return 'unreachable'
    return reply['code'] === 0 ? { tenant: '' } : toRefusal(reply, [appSecret])
  },
  authorizeUrl: ({ appId }, { redirectUri, state, challenge }) =>
    api.browserUrl('FEISHU_LOGIN', '/open-apis/authen/v1/authorize', {
      client_id: appId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'contact:user.phone:readonly',
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  async identify({ appId, appSecret }, { code, redirectUri, verifier }) {
    const exchange = {
      grant_type: 'authorization_code',
      client_id: appId,
      client_secret: appSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    const granted = await api.call('FEISHU_APP', '/open-apis/authen/v2/oauth/token', postJson(exchange))
    if (granted === null || typeof granted['code'] !== 'number') return 'unreachable'
    const token = readText(granted, 'access_token')
    const secrets = [appSecret, code, verifier, token]
    if (granted['code'] !== 0 || token === '') return toRefusal(granted, secrets)
    const headers = { authorization: `Bearer ${token}` }
    const reply = await api.call('FEISHU_APP', '/open-apis/authen/v1/user_info', { headers })
    if (reply === null || typeof reply['code'] !== 'number') return 'unreachable'
    if (reply['code'] !== 0) return toRefusal(reply, secrets)
    const user = (reply['data'] ?? {}) as VendorReply
    const [tenant, userId] = [readText(user, 'tenant_key'), readText(user, 'open_id')]
    if (tenant === '' || userId === '') return 'unreachable'
    return { tenant, userId, ...readVendorPhone(readText(user, 'mobile')) }
  },
})

/** Refusal of an error reply. The exchange of a code words its errors by RFC 6749; all other replies use `msg`. */
function toRefusal(reply: VendorReply, secrets: readonly string[]): VendorRefusal {
  const code = Number(reply['code'])
  const words = readText(reply, 'error_description') || readText(reply, 'msg')
  const field = OF_APP_ID.includes(code) ? 'app_id' : 'app_secret'
  return refusedWith(String(code), words, field, secrets)
}
