import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerStates } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createFleet,
  createNetwork,
  createSubAccount,
  networkRow,
  refreshed,
  selectAudits,
  toHubs,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

async function createSettingsNetwork() {
  const { main, routers, apps } = await createFleet()
  const members = routers.slice(0, 3)
  const network_number = await createNetwork(main, [...members, apps[0]!])
  return { main, members, network_number, since: hubCalls.length }
}
const lastAudit = async (accountId: number) => (await selectAudits(accountId)).at(-1)

describe('network 6 · settings of a network', () => {
  it('a new name is pushed to no device; an unchanged one is not written', async () => {
    const { main, network_number, since } = await createSettingsNetwork()
    const input = { network_number, network_name: '新名' }
    expect(await main.call(networkApi.name, input)).toMatchObject({ code: 200, msg: '修改成功', trips: 2 })
    expect(hubCalls.slice(since).map(({ kind, method }) => [kind, method])).toEqual([['network', 'refresh']])
    expect(await lastAudit(main.accountId)).toMatchObject({
      message: '组网“测试网”改名为“新名”',
      before: '{"network_name":"测试网"}',
      after: '{"network_name":"新名"}',
    })
    expect(await main.call(networkApi.name, input)).toMatchObject({ code: 200, msg: '修改成功', trips: 1 })
    expect(await networkRow(network_number)).toMatchObject({ name: '新名', revision: 2 })
    expect(hubCalls.slice(since)).toHaveLength(1)
  })

  it('new ciphers move the document of every hardware member', async () => {
    const { main, members, network_number, since } = await createSettingsNetwork()
    const input = { network_number, ncp_ciphers: 'sm' } as const
    expect(await main.call(networkApi.ciphers, input)).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(...members))
    expect(await main.call(networkApi.info, input)).toMatchObject({ data: { ncp_ciphers: 'sm', revision: 2 } })
    const message = '组网“测试网”的加密算法改为“国密（SM4）”'
    expect(await lastAudit(main.accountId)).toMatchObject({ message, after: '{"ncp_ciphers":"sm"}' })
  })

  it('new ciphers say since when, and go to the centres first', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [a, b, c, d] = routers
    const network_number = await createNetwork(main, [a!, c!, d!])
    await main.call(networkApi.addMember, { network_number, router_name: b!.name, member_type: 'center' })
    expect(await main.call(networkApi.info, { network_number })).toMatchObject({ data: { ncp_ciphers_time: null } })
    const [since, before] = [hubCalls.length, Date.now()]
    await main.call(networkApi.ciphers, { network_number, ncp_ciphers: 'sm' })
    const pushed = hubCalls.slice(since).filter(({ kind, method }) => kind === 'router' && method === 'refresh')
    expect(
      pushed
        .slice(0, 2)
        .map(({ hub }) => hub)
        .toSorted(),
    ).toEqual(toHubs(a, b))
    expect(pushed).toHaveLength(4)
    const { data } = await main.call(networkApi.info, { network_number })
    expect(data.ncp_ciphers_time).toBeGreaterThanOrEqual(before)
    await main.call(networkApi.dns, { network_number, dns: ['10.0.0.53'] })
    expect((await networkRow(network_number)).ciphersAt).toBe(data.ncp_ciphers_time)
  })

  it('new ciphers of an older state of the network are refused; without a revision they pass', async () => {
    const { main, network_number } = await createSettingsNetwork()
    await main.call(networkApi.name, { network_number, network_name: '新名' })
    const input = { network_number, ncp_ciphers: 'sm' } as const
    expect(await main.call(networkApi.ciphers, { ...input, revision: '1' })).toMatchObject(refusal('SETTING_CHANGED'))
    expect(await main.call(networkApi.ciphers, { ...input, revision: 2 })).toMatchObject({ code: 200 })
    expect(await main.call(networkApi.ciphers, { ...input, ncp_ciphers: 'default' })).toMatchObject({ code: 200 })
  })

  it('is refused in a suspended network where devices carry it, while the name can be set', async () => {
    const { main, network_number } = await createSettingsNetwork()
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, network_number))
    const ciphers = { network_number, ncp_ciphers: 'sm' } as const
    expect(await main.call(networkApi.ciphers, ciphers)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await main.call(networkApi.name, { network_number, network_name: '新名' })).toMatchObject({ code: 200 })
    expect(await networkRow(network_number)).toMatchObject({ name: '新名', ciphers: 'default', revision: 2 })
  })

  describe('ciphers that a device cannot follow', () => {
    const tooOld = (known: Readonly<Record<string, readonly string[]>>) =>
      createTestWorker({ hubs: fakeHubs({ 'account.missingSettings': () => known }).hubs })

    it('are refused with its name, and named before that; going back is not', async () => {
      const { main, members, network_number } = await createSettingsNetwork()
      const worker = tooOld({ [members[1]!.hub]: ['ciphers:sm'], [members[2]!.hub]: ['of another release'] })
      const input = { network_number, ncp_ciphers: 'sm' } as const
      const asked = await worker.call(networkApi.unsupported, input, main.token)
      expect(asked).toMatchObject({ code: 200, trips: 1, data: [{ router_name: members[1]!.name }] })
      const refused = await worker.call(networkApi.ciphers, input, main.token)
      const params = { devices: members[1]!.name, reason: '设备版本过旧，不支持国密（SM4）' }
      expect(refused).toMatchObject({ ...refusal('DEVICE_UNSUPPORTED', params), trips: 1 })
      expect(await networkRow(network_number)).toMatchObject({ ciphers: 'default', revision: 1 })
      await db.update(networks).set({ ciphers: 'sm' }).where(eq(networks.number, network_number))
      const back = { network_number, ncp_ciphers: 'default' } as const
      expect((await worker.call(networkApi.unsupported, back, main.token)).data).toEqual([])
      expect(await worker.call(networkApi.ciphers, back, main.token)).toMatchObject({ code: 200, trips: 2 })
    })

    it('network 7: are refused for software members whose application lacks them; one that does not say is not checked', async () => {
      const { main, routers, apps } = await createFleet({ software: 3 })
      const network_number = await createNetwork(main, [routers[0]!, routers[1]!, ...apps])
      const say = (app: { id: number } | undefined, clientCapabilities: string | null) =>
        db
          .insert(routerStates)
          .values({ routerId: app!.id, clientCapabilities })
          .onConflictDoUpdate({ target: routerStates.routerId, set: { clientCapabilities } })
      await Promise.all([say(apps[0], '["ciphers:sm"]'), say(apps[1], '[]'), say(apps[2], null)])
      const input = { network_number, ncp_ciphers: 'sm' } as const
      const asked = await main.call(networkApi.unsupported, input)
      expect(asked).toMatchObject({ code: 200, trips: 1, data: [{ router_name: apps[1]!.name }] })
      const params = { devices: apps[1]!.name, reason: '设备版本过旧，不支持国密（SM4）' }
      expect(await main.call(networkApi.ciphers, input)).toMatchObject({
        ...refusal('DEVICE_UNSUPPORTED', params),
        trips: 1,
      })
      await say(apps[1], '["ciphers:sm","of another release"]')
      expect(await main.call(networkApi.ciphers, input)).toMatchObject({ code: 200, trips: 2 })
    })

    it('are set where the hub does not answer: the device refuses what it cannot follow', async () => {
      const { main, network_number } = await createSettingsNetwork()
      const broken = () => {
        throw new Error('overloaded')
      }
      const worker = createTestWorker({ hubs: fakeHubs({ 'account.missingSettings': broken }).hubs })
      const input = { network_number, ncp_ciphers: 'sm' } as const
      expect((await worker.call(networkApi.unsupported, input, main.token)).data).toEqual([])
      expect(await worker.call(networkApi.ciphers, input, main.token)).toMatchObject({ code: 200 })
    })

    it('are named to nobody whose role does not cover the network', async () => {
      const { main, network_number } = await createSettingsNetwork()
      const sub = await createSubAccount(main, { networks: [] })
      const input = { network_number, ncp_ciphers: 'sm' } as const
      expect(await sub.call(networkApi.unsupported, input)).not.toMatchObject({ code: 200 })
    })
  })

  it('two settings at the same time are both saved', async () => {
    const { main, network_number } = await createSettingsNetwork()
    await Promise.all([
      main.call(networkApi.ciphers, { network_number, ncp_ciphers: 'sm' }),
      main.call(networkApi.name, { network_number, network_name: '新名' }),
    ])
    expect(await networkRow(network_number)).toMatchObject({ ciphers: 'sm', name: '新名', revision: 3 })
  })
})
