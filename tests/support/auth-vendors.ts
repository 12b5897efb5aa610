import { createHash } from 'node:crypto'
import type { AuthSourceType } from '#contract/auth-source/index.ts'
import type { AuthVendor, VendorCredentials, VendorIdentity, VendorRefusal } from '#contract/auth-source/vendor.ts'
import type { Outside } from '#contract/kernel/outside.ts'

export const SECRET = 'right-secret-0123456789'

/** A person with the code of an authorization that the vendor has just issued to them. */
interface Issued {
  readonly appId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly identity: VendorIdentity
}

/**
 * The three vendors in memory: what their port promises, no protocol. Codes are good once, for one application and address,
 * those of Feishu for one verifier, too.
 */
export function createVendors() {
  const codes = new Map<string, Issued>()
  const asked: VendorCredentials[] = []
  const state = { isAway: false, refusal: null as VendorRefusal | null, identifies: 0 }
  const refused = (code: string, message: string, field: VendorRefusal['field']): VendorRefusal => ({
    refused: true,
    code,
    message,
    field,
  })
  const vendor = (type: AuthSourceType): AuthVendor => ({
    probe: async (credentials) => {
      asked.push(credentials)
      if (state.isAway) return 'unreachable'
      if (state.refusal) return state.refusal
      if (credentials.appSecret !== SECRET) return refused('40001', 'invalid credential', 'app_secret')
      return { tenant: tenantOf(type, credentials) }
    },
    authorizeUrl: ({ appId, agentId }, { redirectUri, state: sent, challenge, inApp }) => {
      const bound = type === 'feishu' ? { challenge } : {}
      const query = new URLSearchParams({ appId, agentId, redirectUri, state: sent, ...bound })
      return `https://${type}.vendor.cn/${inApp ? 'in-app' : 'authorize'}?${query}`
    },
    identify: async (credentials, { code, redirectUri, verifier }) => {
      state.identifies += 1
      if (state.isAway) return 'unreachable'
      const issued = codes.get(code)
      codes.delete(code)
      if (!issued || issued.appId !== credentials.appId || issued.redirectUri !== redirectUri)
        return refused('40029', 'invalid code', 'app_secret')
      if (issued.challenge !== '' && issued.challenge !== createHash('sha256').update(verifier).digest('base64url'))
        return refused('20049', 'PKCE code challenge failed.', 'app_secret')
      const { tenant } = issued.identity
      const own = tenantOf(type, credentials)
      return own !== '' && tenant !== own ? refused('outsider', 'not a member', 'app_id') : issued.identity
    },
  })
  const authVendors: Outside['authVendors'] = {
    wechat: vendor('wechat'),
    feishu: vendor('feishu'),
    dingtalk: vendor('dingtalk'),
  }
  let issues = 0
  return {
    authVendors,
    /** Credentials that were probed, oldest first. */
    asked,
    state,
    /** The person authorizes at this address: the code that their browser brings back. */
    authorize(
      url: string,
      identity: VendorIdentity,
    ): { readonly code: string; readonly state: string; readonly to: URL } {
      const sent = new URL(url).searchParams
      const [appId = '', redirectUri = ''] = [sent.get('appId') ?? '', sent.get('redirectUri') ?? '']
      const code = `code-${++issues}`
      codes.set(code, { appId, redirectUri, challenge: sent.get('challenge') ?? '', identity })
      return { code, state: sent.get('state') ?? '', to: new URL(redirectUri) }
    },
  }
}

/** Feishu tells the tenant only when somebody signs in. */
const tenantOf = (type: AuthSourceType, { appId, corpId }: VendorCredentials): string =>
  type === 'wechat' ? appId : type === 'dingtalk' ? corpId : ''
