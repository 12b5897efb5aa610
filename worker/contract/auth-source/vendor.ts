import type { AuthSourceType } from './index.ts'

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

/** Parameters of the page a browser is sent to; `inApp`: the one that gives WeCom's phone number inside its own app. */
interface AuthorizeRequest {
  readonly redirectUri: string
  readonly state: string
  readonly inApp: boolean
}

/** A person as the vendor knows them. */
export interface VendorIdentity {
  /** Tenant or corporation that the person signed in with; compared with the recorded one. */
  readonly tenant: string
  readonly userId: string
  /** Country code without +; '' together with `phone` where the vendor gave no number. */
  readonly areaCode: string
  readonly phone: string
}

/** The vendor's answer was no. `code` and `message` are the vendor's, without addresses and hints. */
export interface VendorRefusal {
  readonly refused: true
  readonly code: string
  readonly message: string
  /** Form field that the vendor's code speaks of; 'app_secret' where it does not tell. */
  readonly field: 'app_id' | 'app_secret' | 'agent_id' | 'corp_id'
}

/** `unreachable`: no answer within 5 s, or one that is not the vendor's. */
type VendorResult<T> = T | VendorRefusal | 'unreachable'

/** One of the three vendors. Nothing is cached here, no secret is logged. */
export interface AuthVendor {
  /** Asks for a token of the application; the tenant it belongs to ('' where only a sign-in tells). */
  probe(credentials: VendorCredentials): Promise<VendorResult<{ readonly tenant: string }>>
  authorizeUrl(credentials: VendorCredentials, request: AuthorizeRequest): string
  /** Exchanges the code of a callback. A person of another organisation is a refusal of code `outsider`. */
  identify(credentials: VendorCredentials, code: string, redirectUri: string): Promise<VendorResult<VendorIdentity>>
}
