import type { Outside } from '#contract/kernel/outside.ts'
import { toProviderUrl, type Provider, type ProviderEnv } from '#outside/outbound-url.ts'
import { type Outbound, createOutbound } from '#outside/outbound.ts'
import { hmac } from '#security/secrets.ts'
import { createDingtalk } from './dingtalk.ts'
import { createFeishu } from './feishu.ts'
import { createVendorApi } from './vendor-api.ts'
import { createWechat } from './wechat.ts'

/* Adapters of the sign-in vendors WeCom, Feishu and DingTalk, and the relay for calls of their APIs. */

/** APIs of vendors that accept calls only from known addresses. */
const RELAYED = ['WECOM_APP', 'FEISHU_APP', 'DINGTALK_MEMBERS', 'DINGTALK_APP'] as const satisfies readonly Provider[]

type RelayEnv = ProviderEnv & Pick<Env, 'EGRESS_PROXY_BASE' | 'EGRESS_PROXY_KEY'>

/**
 * Calls through the operator's relay with fixed addresses (infra/docs/deploy.md): `<base>/<host of the API><path>`. Each
 * call is signed with HMAC-SHA256 over time, method, that path and the body, so that nobody else can use the relay. Without
 * EGRESS_PROXY_BASE calls are direct.
 */
function createRelayed(env: RelayEnv): Pick<Outbound, 'toProvider'> {
  const { EGRESS_PROXY_BASE: base, EGRESS_PROXY_KEY: key } = env
  if (!base) return createOutbound(env)
  // The error is not thrown here: every request creates the outside, also a request that calls no vendor.
  if (!key) return { toProvider: () => Promise.reject(new Error('EGRESS_PROXY_KEY is needed with EGRESS_PROXY_BASE')) }
  const hostOf = (provider: Provider) => toProviderUrl(env, provider, '/').hostname
  const bases = RELAYED.map((provider) => [`${provider}_BASE_URL`, `${base.replace(/\/$/, '')}/${hostOf(provider)}`])
  const outbound = createOutbound({ ...env, ...Object.fromEntries(bases) })
  return {
    async toProvider(provider, path, request = {}) {
      const time = String(Math.floor(Date.now() / 1000))
      const signed = [time, request.method ?? 'GET', `/${hostOf(provider)}${path}`, request.body ?? '']
      const headers = { 'x-relay-time': time, 'x-relay-signature': await hmac(key, signed.join('\n')) }
      return outbound.toProvider(provider, path, { ...request, headers: { ...request.headers, ...headers } })
    },
  }
}

/** Creates the vendors. Calls of APIs go through the relay, if there is one; browsers connect directly. */
export function createAuthVendors(env: RelayEnv): Outside['authVendors'] {
  const api = createVendorApi({
    outbound: createRelayed(env),
    toUrl: (provider, path) => toProviderUrl(env, provider, path),
  })
  return { wechat: createWechat(api), feishu: createFeishu(api), dingtalk: createDingtalk(api) }
}
