import { randomBytes } from 'node:crypto'
import type { FakeReply } from '../arrivals.ts'

export type VendorName = 'wecom' | 'feishu' | 'dingtalk'

/** Applications that the fakes know; nothing else is accepted. */
export const FAKE_APPS = {
  wecom: { appId: 'ww0fake0corporation', agentId: '1000002', secret: 'fake-wecom-app-secret-0123456789' },
  feishu: { appId: 'cli_a0fake0application', secret: 'fake-feishu-app-secret-0123456789', tenant: 'fake0tenant0key' },
  dingtalk: { appId: 'dingfakeappkey00', secret: 'fake-dingtalk-app-secret-0123456789', corpId: 'dingfakecorporation' },
} as const

/** Modes of every API. */
export const FAULTS: Readonly<Record<string, FakeReply>> = {
  timeout: { hang: true },
  http500: { status: 500, body: '<html>500</html>' },
  html: { body: '<html>maintenance</html>' },
  list: { body: [] },
}

/** In mode `ip` the only address that the administrators of these applications have entered as trusted. */
export const TRUSTED_ADDRESS = '127.0.0.2'

/** An API accepts calls from any address, unless its mode is `ip`. */
export const isTrusted = (mode: string, from: string): boolean => mode !== 'ip' || from === TRUSTED_ADDRESS

/** Hosts that the administrators of these applications have registered for callbacks. */
export const CALLBACK_HOSTS: readonly RegExp[] = [
  /^localhost$/,
  /^127\.0\.0\.1$/,
  /(^|\.)netloom\.cn$/,
  /(^|\.)qiming\.example$/,
]

export interface Person {
  readonly id: string
  readonly name: string
  readonly areaCode: string
  /** '' where the vendor does not tell it. */
  readonly phone: string
  readonly isOutsider: boolean
}

/** Beside them, the page takes any phone number. */
export const PEOPLE: readonly Person[] = [
  { id: 'zhangwei', name: '张伟', areaCode: '86', phone: '13900010003', isOutsider: false },
  { id: 'nophone', name: '未授权手机号的成员', areaCode: '', phone: '', isOutsider: false },
  { id: 'outsider', name: '其他企业的人', areaCode: '86', phone: '13900010003', isOutsider: true },
]

export const personOf = (id: string, phone: string): Person | undefined =>
  id === '' && /^\d{5,15}$/.test(phone)
    ? { id: `u${phone}`, name: phone, areaCode: '86', phone, isOutsider: false }
    : PEOPLE.find((person) => person.id === id)

interface Authorization {
  readonly vendor: VendorName
  readonly person: Person
  readonly redirectUri: string
  readonly isInApp: boolean
  /** S256 challenge of the request; '' for none. */
  readonly challenge: string
  readonly issued: number
}

const CODE_MS = 300_000
const TOKEN_MS = 7_200_000

/** Codes are good once and for five minutes, tokens for two hours; each is the vendor's own. */
export class SignInDesk {
  private readonly codes = new Map<string, Authorization>()
  private readonly tokens = new Map<
    string,
    { readonly vendor: VendorName; readonly person: Person | null; readonly at: number }
  >()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  issueCode(authorization: Omit<Authorization, 'issued'>): string {
    const code = randomBytes(24).toString('base64url')
    this.codes.set(code, { ...authorization, issued: this.now() })
    return code
  }

  consumeCode(vendor: VendorName, code: string): Authorization | null {
    const known = this.codes.get(code)
    if (known?.vendor !== vendor) return null
    this.codes.delete(code)
    return known.issued > this.now() - CODE_MS ? known : null
  }

  /** Of a person, or of the application (null). */
  issueToken(vendor: VendorName, person: Person | null): string {
    const token = randomBytes(24).toString('base64url')
    this.tokens.set(token, { vendor, person, at: this.now() })
    return token
  }

  /** Null: not a token of that kind; undefined person: of the application. */
  readToken(vendor: VendorName, token: string): { readonly person: Person | null } | null {
    const known = this.tokens.get(token)
    return known?.vendor === vendor && known.at > this.now() - TOKEN_MS ? known : null
  }
}
