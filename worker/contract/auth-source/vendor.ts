import type { AuthSourceType } from './index.ts'

/* Interface of the sign-in vendors WeCom, Feishu and DingTalk. */

/** Credentials that an account stored for one of its auth sources. */
export interface VendorCredentials {
  readonly type: AuthSourceType
  /** wechat: CorpID; feishu: App ID; dingtalk: AppKey (Client ID). */
  readonly appId: string
  readonly appSecret: string
  /** Agent id, wechat only; '' otherwise. */
  readonly agentId: string
  /** Corp id, dingtalk only; '' otherwise. */
  readonly corpId: string
}

/** Parameters of the vendor's page. `inApp` selects the page inside the WeCom app, which gives the phone number. */
interface AuthorizeRequest {
  readonly redirectUri: string
  readonly state: string
  /** S256 challenge (RFC 7636), for vendors that bind their code to it. */
  readonly challenge: string
  readonly inApp: boolean
}

/** Code of a callback, with the redirect address and the verifier of the request for which the vendor issued it. */
export interface VendorCallback {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

export interface VendorIdentity {
  /** Tenant or corporation of the sign-in, compared with the recorded one. */
  readonly tenant: string
  readonly userId: string
  /** Country code without +; '' if the vendor gave no phone. */
  readonly areaCode: string
  readonly phone: string
}

/** Refusal by the vendor. `code` and `message` are the vendor's own, without addresses and hints. */
export interface VendorRefusal {
  readonly refused: true
  readonly code: string
  readonly message: string
  /** Form field that the code is about; by default 'app_secret'. */
  readonly field: 'app_id' | 'app_secret' | 'agent_id' | 'corp_id'
}

/** Result of a call. `unreachable`: no answer within 5 s, or an answer of another kind. */
type VendorResult<T> = T | VendorRefusal | 'unreachable'

/** Vendor. It caches nothing and logs no secret. */
export interface AuthVendor {
  /** Asks for a token and returns the tenant of the application; '' if only a sign-in tells it. */
  probe(credentials: VendorCredentials): Promise<VendorResult<{ readonly tenant: string }>>
  authorizeUrl(credentials: VendorCredentials, request: AuthorizeRequest): string
  /** Exchanges the code of a callback. A person of another organisation is refused with code `outsider`. */
  identify(credentials: VendorCredentials, callback: VendorCallback): Promise<VendorResult<VendorIdentity>>
}
