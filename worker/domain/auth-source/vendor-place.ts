import { AUTH_CALLBACK_PATH } from '#contract/auth-source/limits.ts'

/* Values for the console of a vendor (WeCom, Feishu, DingTalk): our outgoing address and the redirect address. */

/** Fixed source addresses of calls to vendors. */
export interface EgressEnv {
  readonly EGRESS_PROXY_BASE?: string | undefined
  readonly EGRESS_ADDRESS?: string | undefined
}

const NO_EGRESS = '未配置固定出口'

/** EGRESS_ADDRESS, or the address in EGRESS_PROXY_BASE; '' without a relay. */
export function egressAddress({ EGRESS_PROXY_BASE: base, EGRESS_ADDRESS: addresses }: EgressEnv): string {
  if (!base) return ''
  if (addresses) return addresses
  const [, v4 = '', v6 = ''] = /^https?:\/\/(?:([\d.]+)|\[([\da-f:.]+)\])(?:[:/]|$)/i.exec(base) ?? []
  return v4 || v6
}

/** OAuth redirect address, on the console or on the customer's own domain. */
export const redirectUri = (consoleOrigin: string, ownDomain: string): string =>
  `${ownDomain === '' ? consoleOrigin : `https://${ownDomain}`}${AUTH_CALLBACK_PATH}`

const hostIn = (uri: string): string => /^https?:\/\/([^/]+)/.exec(uri)?.[1] ?? ''

/** Values that an administrator copies into the vendor's console. */
export function vendorPlace(env: EgressEnv, consoleOrigin: string, ownDomain: string) {
  const address = egressAddress(env)
  const uri = redirectUri(consoleOrigin, ownDomain)
  return {
    white_ip: address,
    notice: address === '' ? NO_EGRESS : '',
    auth_domain: hostIn(uri),
    redirect_uri: uri,
  }
}
