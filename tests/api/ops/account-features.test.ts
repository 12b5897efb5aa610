import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { createFleet, createMainAccount, createNetwork, selectAudits } from '#tests/support/fixtures.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'

type Flags = Omit<Input<typeof opsApi.setAccountFlags>, 'account'>

/** A network of an account with all features. */
async function createFeatured() {
  const { main, routers } = await createFleet()
  const network_number = await createNetwork(main, routers.slice(0, 2))
  const flag = (flags: Flags) => call(opsApi.setAccountFlags, { account: main.username, ...flags })
  await flag({ quagga: 1, quagga_advanced: 1, default_route: 1 })
  const target = { network_number, router_name: routers[1]!.name }
  return { main, flag, target, network_number }
}
type Featured = Awaited<ReturnType<typeof createFeatured>>

const DENY = { ip: '10.1.0.0', mask: 16, permission: 'deny' } as const
/** Settings behind each feature: one with it, another with it, turning it off, and reading it. */
const GUARDED: readonly (readonly [
  flag: 'quagga' | 'quagga_advanced' | 'default_route',
  name: string,
  set: (on: Featured) => Promise<{ code: number }>,
  more: (on: Featured) => Promise<{ code: number }>,
  turnOff: (on: Featured) => Promise<{ code: number }>,
  isSet: (on: Featured) => Promise<boolean>,
])[] = [
  [
    'quagga',
    '动态路由',
    ({ main, target }) => main.call(networkApi.quagga, { ...target, enable: 1 }),
    ({ main, network_number }) => main.call(networkApi.quaggaEnable, { network_number }),
    ({ main, target }) => main.call(networkApi.quagga, { ...target, enable: 0 }),
    async (on) => (await memberOf(on)).quagga === 1,
  ],
  [
    'default_route',
    '默认路由',
    ({ main, target }) => main.call(networkApi.defaultRoute, { ...target, model: 1, metric: 30 }),
    ({ main, target }) => main.call(networkApi.defaultRoute, { ...target, model: 2 }),
    ({ main, target }) => main.call(networkApi.defaultRoute, { ...target, model: 0 }),
    async (on) => (await memberOf(on)).default_route !== 0,
  ],
  [
    'quagga_advanced',
    '网络号的高级设置',
    ({ main, network_number }) => main.call(networkApi.editPrefix, { network_number, prefix: [DENY] }),
    ({ main, network_number }) => {
      const prefix = [DENY, { ip: '10.2.0.0', mask: 16, ge: 24 }]
      return main.call(networkApi.editPrefix, { network_number, prefix })
    },
    ({ main, network_number }) => main.call(networkApi.editPrefix, { network_number, prefix: [] }),
    async ({ main, network_number }) => (await main.call(networkApi.prefix, { network_number })).data.length > 0,
  ],
]
const memberOf = async ({ main, target }: Featured) =>
  (await main.call(networkApi.info, target)).data.member.find((m) => m.router_name === target.router_name)!

describe('design 1 · ops · features of an account', () => {
  it('are switched one by one, shown to the account, and logged', async () => {
    const main = await createMainAccount()
    const set = (flags: Flags) => call(opsApi.setAccountFlags, { account: main.username, ...flags })
    const shown = async () => {
      const { auth, config } = (await main.call(accountApi.info, {})).data
      return { ...auth, ...config }
    }
    const none = { quagga: 0, quagga_advanced: 0, default_route: 0, software_auth_source: 0 }
    expect(await shown()).toMatchObject(none)
    expect(await set({ quagga: 1, software_auth_source: 1 })).toMatchObject({ code: 200 })
    expect(await shown()).toMatchObject({ ...none, quagga: 1, software_auth_source: 1 })
    await set({ software_auth_source: 0 })
    expect(await shown()).toMatchObject({ ...none, quagga: 1 })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      actorKind: 'operator',
      action: 'account/flags',
      before: JSON.stringify({ ...none, quagga: 1, software_auth_source: 1 }),
      after: JSON.stringify({ ...none, quagga: 1 }),
    })
    expect(await set({})).toMatchObject({ code: 422, msg: '请至少指定一项功能' })
    expect(await call(opsApi.setAccountFlags, { account: 'nobody01', quagga: 1 })).toMatchObject(
      refusal('ACCOUNT_NOT_FOUND'),
    )
  })

  it.each(GUARDED)('without %s what is set stays and may only be turned off', async (key, feature, ...steps) => {
    const [set, more, turnOff, isSet] = steps
    const on = await createFeatured()
    expect(await set(on)).toMatchObject({ code: 200 })
    expect(await on.flag({ [key]: 0 })).toMatchObject({ code: 200 })
    expect(await isSet(on)).toBe(true)
    expect(await more(on)).toMatchObject(refusal('FEATURE_NOT_ENABLED', { feature }))
    expect(await isSet(on)).toBe(true)
    expect(await turnOff(on)).toMatchObject({ code: 200 })
    expect(await isSet(on)).toBe(false)
    expect(await set(on)).toMatchObject(refusal('FEATURE_NOT_ENABLED', { feature }))
  })

  it('the number of DNS addresses may be raised; a list that is too long then only gets shorter', async () => {
    const { main, network_number } = await createFeatured()
    const quantity = (n: number) => call(opsApi.setDnsQuantity, { account: main.username, quantity: n })
    const dns = (list: string[]) => main.call(networkApi.dns, { network_number, dns: list })
    const three = ['10.0.0.51', '10.0.0.52', '10.0.0.53']
    expect(await dns(three)).toMatchObject(refusal('DNS_LIMIT_REACHED', { limit: 2 }))
    expect(await quantity(3)).toMatchObject({ code: 200 })
    expect(await dns(three)).toMatchObject({ code: 200 })
    expect((await main.call(networkApi.config, {})).data.dns_quantity).toBe(3)
    expect(await quantity(1)).toMatchObject({ code: 200 })
    expect((await main.call(networkApi.info, { network_number })).data.network_dns).toEqual(three)
    expect(await dns(['10.0.0.50', ...three.slice(1)])).toMatchObject(refusal('DNS_LIMIT_REACHED', { limit: 1 }))
    expect(await dns(three.slice(1))).toMatchObject({ code: 200 })
    expect((await selectAudits(main.accountId)).at(-2)).toMatchObject({
      action: 'account/dns_quantity',
      before: '{"dns_quantity":3}',
      after: '{"dns_quantity":1}',
    })
    expect(await quantity(17)).toMatchObject({ code: 422 })
    const [row] = await db.select().from(accounts).where(eq(accounts.id, main.accountId))
    expect(row?.dnsQuantity).toBe(1)
  })
})
