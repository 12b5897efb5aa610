import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { monitorSettings } from '#db/schema/monitor.ts'
import { networks } from '#db/schema/networks.ts'
import { networkFrs } from '#db/schema/pop.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  networkRow,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import { open, setLan, state, summaryOf } from './evaluated-worker.ts'
import { networkApi } from '#contract/network/index.ts'

async function createOnlineNetwork(name: string) {
  const { main } = await createFleet({ hardware: 0, centers: 1 })
  const number = await createNetwork(main, [await createRouter(main.accountId, { state: state('online') })], name)
  return { main, number }
}

/** A POP resource of the network that ends then. */
async function givePop({ accountId }: { readonly accountId: number }, number: string, expireAt: number) {
  const values = { accountId, name: '骨干接入', createdAt: expireAt - 1, expireAt }
  const [fr] = await db.insert(networkFrs).values(values).returning()
  await db.update(networks).set({ frId: fr!.id }).where(eq(networks.number, number))
}

describe('design 12 · overview/info leaves nothing out', () => {
  it('says which network’s hub did not answer, of which no summary is known', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const [known, silent] = [
      await createNetwork(main, [await createRouter(main.accountId, { state: state('online') })], '有摘要'),
      await createNetwork(main, [await createRouter(main.accountId, { state: state('online') })], '无摘要'),
    ]
    const { hub } = await networkRow(known)
    const summaries = { [hub]: summaryOf({ online: 1 }) }
    const { hubs } = fakeHubs({ 'account.health': () => ({ summaries, transitions: [], unsupported: {} }) })
    const worker = createTestWorker({ hubs })
    const { data } = await open(main, worker)
    expect(data.live).toBe(1)
    expect(data.networks.map(({ network_number, live }) => [network_number, live])).toEqual([
      [known, 1],
      [silent, 0],
    ])
    const listed = (await worker.call(networkApi.lists, {}, main.token)).data
    expect(listed.find(({ network_number }) => network_number === silent)?.health).toBeNull()
  })

  it('a network that is withdrawn from all documents is suspended, whether or not a hub answers', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const number = await createNetwork(main, [await createRouter(main.accountId, { state: state('online') })], '停用')
    await db.update(networks).set({ status: 0, withdrawn: 1 }).where(eq(networks.number, number))
    const broken = () => {
      throw new Error('overloaded')
    }
    const worker = createTestWorker({ hubs: fakeHubs({ 'account.health': broken, 'network.status': broken }).hubs })
    const { attention, status } = (await open(main, worker)).data
    const rows = attention.rows.filter(({ target }) => target.type === 'network')
    const cause = '成员配额不足，组网已停用，设备配置已移除'
    expect(rows).toMatchObject([{ kind: 'network_suspended', name: '停用', cause }])
    expect(status).toMatchObject({ networks_down: 0, networks_suspended: 1 })
    const page = (await worker.call(networkApi.info, { network_number: number }, main.token)).data
    expect(page).toMatchObject({ withdrawn: 1, link: [], health: { state: 'suspended', cause: '设备配置已移除' } })
  })

  it('lists every quota that is counted, above 95 %', async () => {
    const main = await createMainAccount({ services: { network_member: 20, software_member: 20, sub_account: 1 } })
    await createSubAccount(main)
    for (let n = 0; n < 19; n++) await createSoftwareRouter(main.accountId)
    const listed = async () => {
      const { rows } = (await open(main)).data.attention
      return rows.flatMap(({ kind, name, cause }) => (kind === 'quota_full' ? [[name, cause]] : []))
    }
    expect(await listed()).toEqual([['子账号', '已使用 1 / 1']]) // 19 of 20 are just 95 %
    await createSoftwareRouter(main.accountId)
    expect(await listed()).toEqual([
      ['子账号', '已使用 1 / 1'],
      ['软件成员', '已使用 20 / 20'],
    ])
  })

  it.each([
    ['over', -1, { kind: 'pop_expired', level: 'bad', cause: 'POP资源“骨干接入”已过期' }, 'pops_expired'],
    ['about to be', 20, { kind: 'pop_ending', level: 'warn', cause: 'POP资源“骨干接入”还有 20 天到期' }, 'reminders'],
  ] as const)('says that a POP resource is %s, as the list of networks does', async (_, days, row, counted) => {
    const { main, number } = await createOnlineNetwork('研发专网')
    const before = (await open(main)).data
    const expireAt = Date.now() + days * 86_400_000
    await givePop(main, number, expireAt)
    const reply = await open(main)
    expect(reply.trips).toBe(1)
    const { attention, status } = reply.data
    expect(attention.count).toBe(before.attention.count + 1)
    expect(attention.rows.filter(({ kind }) => kind === row.kind)).toMatchObject([
      { ...row, name: '研发专网', target: { type: 'network', network_number: number } },
    ])
    expect(status[counted]).toBe(before.status[counted] + 1)
    const [listed] = (await main.call(networkApi.lists, {})).data
    expect(listed?.fr_expire_day).toBe(Math.max(0, days))
  })

  it('a role limited to other networks sees nothing of their POP resources', async () => {
    const { main, number } = await createOnlineNetwork('不可见')
    const own = await createNetwork(main, [await createRouter(main.accountId, { state: state('online') })])
    await givePop(main, number, 2)
    const sub = await createSubAccount(main, { networks: [own] })
    expect((await open(sub)).data.attention.rows).toEqual([])
    expect((await open(main)).data.status.pops_expired).toBe(1)
  })

  it('counts software members that are offline apart from devices', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const members = [
      await createRouter(main.accountId, { state: state('online') }),
      await createRouter(main.accountId, { state: state('offline') }),
      await createSoftwareRouter(main.accountId, { state: state('offline') }),
      await createSoftwareRouter(main.accountId, { state: state('flapping') }),
    ]
    await createNetwork(main, members)
    const [network] = (await open(main)).data.networks
    expect([network?.health.members.offline, network?.software_offline]).toEqual([2, 1])
  })

  it.each([null, 0, 1] as const)('says whether alerts are sent: %s', async (enabled) => {
    const main = await createMainAccount()
    if (enabled !== null) await db.insert(monitorSettings).values({ accountId: main.accountId, enabled, updatedAt: 1 })
    expect((await open(main)).data.alerts).toBe(enabled ?? 0)
  })

  it('lists every overlap of a network', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const names = ['甲', '乙', '丙', '丁']
    const members = await Promise.all(
      names.map((note) => createRouter(main.accountId, { note, state: state('online') })),
    )
    const number = await createNetwork(main, members)
    for (const [n, { id }] of members.entries()) await setLan(id, n < 2 ? '10.8.0.1/24' : '10.9.0.1/24')
    const { attention, status } = (await open(main)).data
    const found = attention.rows.flatMap(({ kind, name }) => (kind === 'overlap' ? [name] : []))
    expect(found).toEqual(['丙 ↔ 丁', '甲 ↔ 乙'])
    expect(status.overlaps).toBe(2)
    const { overlaps } = (await main.call(networkApi.info, { network_number: number })).data
    expect(overlaps.map(({ a, b }) => [a, b])).toEqual([
      ['甲', '乙'],
      ['丙', '丁'],
    ])
  })
})
