import type { Outside } from '#contract/kernel/outside.ts'
import { toProviderUrl } from '#outside/outbound-url.ts'
import { createDingtalk } from './dingtalk.ts'
import { createFeishu } from './feishu.ts'
import { type RelayEnv, createRelayed } from './relay.ts'
import { createVendorApi } from './vendor-api.ts'
import { createWechat } from './wechat.ts'

/** Their APIs are called through the relay with fixed addresses, where there is one; browsers go straight. */
export function createAuthVendors(env: RelayEnv): Outside['authVendors'] {
  const api = createVendorApi({
    outbound: createRelayed(env),
    toUrl: (provider, path) => toProviderUrl(env, provider, path),
  })
  return { wechat: createWechat(api), feishu: createFeishu(api), dingtalk: createDingtalk(api) }
}
