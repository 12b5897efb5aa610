import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '../../../worker/contract/network.ts'
import { networks } from '../../../worker/db/schema/networks.ts'
import { fakeHubs } from '../../support/fake-hubs.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  networkRow,
} from '../../support/fixtures.ts'
import { createTestWorker, db } from '../../support/test-worker.ts'
import { open, setLan, state, summaryOf } from './judged-worker.ts'

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

  it('a network that is withdrawn from all documents is interrupted, whether or not a hub answers', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const number = await createNetwork(main, [await createRouter(main.accountId, { state: state('online') })], '停用')
    await db.update(networks).set({ status: 0, withdrawn: 1 }).where(eq(networks.number, number))
    const broken = () => {
      throw new Error('overloaded')
    }
    const worker = createTestWorker({ hubs: fakeHubs({ 'account.health': broken, 'network.status': broken }).hubs })
    const { attention, status } = (await open(main, worker)).data
    const rows = attention.rows.filter(({ target }) => target.type === 'network')
    expect(rows).toMatchObject([{ kind: 'network_down', name: '停用', cause: '组网已停用，设备配置已移除' }])
    expect(status).toMatchObject({ networks_down: 1, networks_suspended: 1 })
    const page = (await worker.call(networkApi.info, { network_number: number }, main.token)).data
    expect(page).toMatchObject({ withdrawn: 1, link: [], health: { state: 'down', cause: rows[0]?.cause } })
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
