import { refuse } from '#contract/kernel/errors.ts'
import { isPublicHostName } from '#domain/outbound/public-address.ts'

/* Rules of outgoing URLs: those of customers, of their domains, and of the APIs of providers. */

const URL_MAX = 2048
const PORTS: readonly string[] = ['', '8443'] // '' is 443, which URL leaves out

/** Parses a customer's URL, or refuses it with the reason. The name is not resolved here. */
export function toPublicUrl(text: string): URL {
  // Refuses tabs, line breaks and backslashes, which the parser would drop or convert.
  const url = text.length > URL_MAX || /[\s\\\p{Cc}\p{Cf}]/u.test(text) ? null : URL.parse(text)
  if (!url) return refuse('OUTBOUND_URL_INVALID')
  if (url.protocol !== 'https:') refuse('OUTBOUND_HTTPS_REQUIRED')
  if (url.username !== '' || url.password !== '') refuse('OUTBOUND_CREDENTIALS')
  if (!isPublicHostName(url.hostname)) refuse('OUTBOUND_ADDRESS')
  if (!PORTS.includes(url.port)) refuse('OUTBOUND_PORT')
  url.hash = ''
  return url
}

/** URL of this domain or its www, by http or https at the default ports. `from` is the start of a redirect. */
export function toDomainUrl(domain: string, text: string, from?: URL): URL {
  const url = URL.parse(text, from?.href)
  if (!url || !['https:', 'http:'].includes(url.protocol)) return refuse('OUTBOUND_URL_INVALID')
  if (url.username !== '' || url.password !== '') refuse('OUTBOUND_CREDENTIALS')
  if (url.port !== '') refuse('OUTBOUND_PORT')
  if (withoutWww(url.hostname) !== withoutWww(domain)) refuse('OUTBOUND_REDIRECT', { host: domain })
  if (!isPublicHostName(url.hostname)) refuse('OUTBOUND_ADDRESS')
  url.hash = ''
  return url
}
const withoutWww = (host: string) => host.replace(/^www\./, '')

/** API address of each provider. `<PROVIDER>_BASE_URL` overrides it (a relay, or a fake in a local run). */
const BASE_URLS = {
  DINGTALK: 'https://oapi.dingtalk.com',
  FEISHU: 'https://open.feishu.cn',
  LARK: 'https://open.larksuite.com',
  WECOM: 'https://qyapi.weixin.qq.com',
  /** Sign-in vendors: calls of the application, and pages for browsers. */
  WECOM_APP: 'https://qyapi.weixin.qq.com',
  WECOM_LOGIN: 'https://login.work.weixin.qq.com',
  WECOM_OAUTH: 'https://open.weixin.qq.com',
  FEISHU_APP: 'https://open.feishu.cn',
  FEISHU_LOGIN: 'https://accounts.feishu.cn',
  DINGTALK_APP: 'https://api.dingtalk.com',
  DINGTALK_MEMBERS: 'https://oapi.dingtalk.com',
  DINGTALK_LOGIN: 'https://login.dingtalk.com',
  ALIYUN_SMS: 'https://dysmsapi.aliyuncs.com',
  DIRECTMAIL: 'https://dm.aliyuncs.com',
  TENCENT_SMS: 'https://sms.tencentcloudapi.com',
  /** JSON API of DNS over HTTPS: `?name=…&type=…`. */
  DNS: 'https://cloudflare-dns.com/dns-query',
} as const
export type Provider = keyof typeof BASE_URLS

export type ProviderEnv = Pick<Env, 'ENVIRONMENT' | 'LOCAL_INTERNET_URL' | `${Provider}_BASE_URL`>

/** Host that a provider's signature covers. Behind a relay or a fake it is the host of the API itself. */
export function signedHost(env: ProviderEnv, provider: Provider): string {
  const own = new URL(BASE_URLS[provider]).hostname
  const host = URL.parse(env[`${provider}_BASE_URL`] ?? BASE_URLS[provider])?.hostname ?? own
  return host.endsWith(own.slice(own.indexOf('.'))) ? host : own // another region of the same API
}

/**
 * URL of a path and query at a provider. Only ENVIRONMENT=local takes http or a private host from the environment;
 * elsewhere such a setting is a fault of the deployment.
 */
export function toProviderUrl(env: ProviderEnv, provider: Provider, path: `/${string}` | `?${string}`): URL {
  const name = `${provider}_BASE_URL` as const
  const base = URL.parse(env[name] ?? BASE_URLS[provider])
  const isPublic = base?.protocol === 'https:' && isPublicHostName(base.hostname)
  const isLocal = env.ENVIRONMENT === 'local' && base?.protocol === 'http:'
  if (!base || !(isPublic || isLocal)) {
    throw new Error(`${name} must be an https URL with a public host name`)
  }
  if (base.username !== '' || base.password !== '' || base.search !== '' || base.hash !== '') {
    throw new Error(`${name} must have no credentials, query or fragment`)
  }
  const url = new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}${path}`)
  if (url.origin !== base.origin) throw new Error(`a path led away from ${name}`)
  return url
}

/**
 * Stand-in for an accepted URL of a customer in a local run: path and host go to the fakes of `npm start -- --fakes`. Null
 * without fakes. Deployments have none, by ENVIRONMENT.
 */
export function toLocalInternet({ ENVIRONMENT, LOCAL_INTERNET_URL: base }: ProviderEnv, url: URL): URL | null {
  if (ENVIRONMENT !== 'local' || base === undefined) return null
  return new URL(`${base.replace(/\/$/, '')}/${url.host}${url.pathname}${url.search}`)
}
