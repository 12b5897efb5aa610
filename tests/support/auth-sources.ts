import type { Input } from '#contract/kernel/endpoint.ts'
import { type AuthSourceType, authSourceApi } from '#contract/auth-source/index.ts'
import { createOutside } from '#outside/adapters.ts'
import { SECRET, createVendors } from './auth-vendors.ts'
import { type Caller, type MainOver, createMainAccount } from './fixtures.ts'
import { createTestWorker } from './test-worker.ts'

type Form = Input<typeof authSourceApi.create>

export const FORMS: Readonly<Record<AuthSourceType, Form>> = {
  wechat: { type: 'wechat', name: '企业微信', app_id: 'ww01', app_secret: SECRET, agent_id: '1000002' },
  feishu: { type: 'feishu', name: '飞书', app_id: 'cli_01', app_secret: SECRET },
  dingtalk: { type: 'dingtalk', name: '钉钉', app_id: 'ding-key-01', app_secret: SECRET, corp_id: 'ding01' },
}

/** The Worker with vendors in memory; every domain is proved where `isProved`. */
export function createAuthWorker(over: Partial<Env> = {}) {
  const vendors = createVendors()
  const proof = { isProved: true }
  const worker = createTestWorker({
    env: over,
    outside: (bindings) => ({
      ...createOutside(bindings),
      authVendors: vendors.authVendors,
      domains: { isProved: async () => proof.isProved },
    }),
  })
  return { ...worker, vendors, proof }
}

/** A main account that may have auth sources. */
export const createSourceAccount = (over: MainOver = {}): Promise<Caller> =>
  createMainAccount({ softwareAuthSource: 1, ...over })

/** An enabled source of that account; its id. */
export async function createSource(
  worker: ReturnType<typeof createAuthWorker>,
  main: Caller,
  type: AuthSourceType,
  over: Partial<Form> = {},
): Promise<number> {
  const { data, msg } = await worker.call(authSourceApi.create, { ...FORMS[type], ...over }, main.token)
  if (data === null) throw new Error(msg)
  return data.id
}
