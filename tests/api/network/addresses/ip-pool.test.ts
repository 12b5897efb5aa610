import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { saveNetworkSetting } from '#features/network/sql/settings.ts'
import {
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  memberRows,
  refreshed,
  selectAudits,
  toHubs,
} from '#tests/support/fixtures.ts'
import { db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const { ipAddressPool, editIpAddressPool } = networkApi
const segment = (gateway: string, mask = 20) => ({ gateway, mask })

async function createPoolNetwork() {
  const main = await createMainAccount({ services: { network_member: 50, center: 4 } })
  const center = await createRouter(main.accountId, { note: '总部' })
  const point = await createRouter(main.accountId, { note: '一店', lans: ['10.1.0.1/24'] })
  const software = await createSoftwareRouter(main.accountId)
  const network_number = await createNetwork(main, [center, point, software])
  const key = { accountId: main.accountId, number: network_number }
  return { main, center, point, software, network_number, key }
}

describe('network 3 · IP config', () => {
  it('is read as it is in use, by whoever sees the network', async () => {
    const { main, center, network_number } = await createPoolNetwork()
    const reply = await main.call(ipAddressPool, { network_number })
    expect(reply).toMatchObject({
      code: 200,
      trips: 1,
      data: {
        gateway: '',
        mask: 20,
        pop: null,
        pop_software: null,
        center_link_network: null,
        center_network: [
          {
            router_name: center.name,
            router: { gateway: '100.64.0.0', mask: 20, start: '100.64.0.2', end: '100.64.15.254' },
            software: { gateway: '100.64.16.0', mask: 20, start: '100.64.16.2', end: '100.64.31.254' },
          },
        ],
        revision: 0,
      },
    })
    const limited = await createSubAccount(main, { networks: [] })
    expect(await limited.call(ipAddressPool, { network_number })).toMatchObject(refusal('NETWORK_NOT_FOUND'))
  })

  it('is written as one change; what is left out stays, null is the default again', async () => {
    const { main, center, point, network_number } = await createPoolNetwork()
    const since = hubCalls.length
    const input = {
      network_number,
      revision: 0,
      ...segment('10.200.0.0', 16),
      pop: segment('10.210.0.0'),
      pop_software: segment('10.211.0.0'),
      center_network: [
        {
          router_name: center.name,
          router: { ...segment('10.200.0.0', 24), start: '', end: '' },
          software: { ...segment('10.201.0.0'), start: '10.201.15.0', end: '10.201.15.254' },
        },
      ],
    }
    expect(await main.call(editIpAddressPool, input)).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(center, point))
    const { data } = await main.call(ipAddressPool, { network_number })
    expect(data).toMatchObject({
      ...segment('10.200.0.0', 16),
      pop: segment('10.210.0.0'),
      pop_software: segment('10.211.0.0'),
      center_network: [
        {
          router: { ...segment('10.200.0.0', 24), start: '10.200.0.2', end: '10.200.0.254' },
          software: { ...segment('10.201.0.0'), start: '10.201.15.0', end: '10.201.15.254' },
        },
      ],
      revision: 3, // the network's own, the segments and the pool of the centre
    })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({ action: 'edit_ip_address_pool' })
    expect(await main.call(editIpAddressPool, input)).toMatchObject(refusal('SETTING_CHANGED'))
    const back = { network_number, pop: null, center_network: [{ router_name: center.name, router: null }] }
    expect(await main.call(editIpAddressPool, back)).toMatchObject({ code: 200 })
    expect((await main.call(ipAddressPool, { network_number })).data).toMatchObject({
      pop: null,
      pop_software: segment('10.211.0.0'),
      center_network: [{ router: { gateway: '100.64.0.0' }, software: { start: '10.201.15.0' } }],
    })
  })

  it('refuses segments that overlap one another, a LAN, or the end of a pool outside', async () => {
    const { main, center, network_number, key } = await createPoolNetwork()
    const set = (over: object) => main.call(editIpAddressPool, { network_number, ...over })
    expect(await set({ pop: segment('10.9.0.0'), pop_software: segment('10.9.0.0') })).toMatchObject({
      reason: 'SEGMENT_TAKEN',
      data: { field: 'pop.gateway', free: '10.9.16.0/20' },
    })
    expect(await set({ ...segment('10.0.0.0', 16), pop: segment('10.1.0.0') })).toMatchObject({
      reason: 'SEGMENT_TAKEN',
      data: { free: '10.0.0.0/20' }, // from the range of the network
    })
    expect(await set(segment('10.1.0.0', 16))).toMatchObject({
      reason: 'SEGMENT_TAKEN',
      data: { field: 'gateway' },
    })
    const row = (start: string, end: string) => ({
      center_network: [{ router_name: center.name, router: { ...segment('10.200.0.0'), start, end } }],
    })
    expect(await set(row('10.200.0.1', '10.200.0.9'))).toMatchObject({
      ...refusal('POOL_OUTSIDE', { first: '10.200.0.2', last: '10.200.15.254' }),
      data: { field: 'center_network.0.router.start' },
    })
    expect(await set(row('10.200.0.9', '10.200.0.8'))).toMatchObject({ reason: 'POOL_OUTSIDE' })
    expect(await set(row('10.200.0.9', ''))).toMatchObject({ code: 422, msg: '请同时填写起始IP和结束IP' })
    await saveNetworkSetting(
      db,
      key,
      'center_link',
      {
        enable: 1,
        server: center.id,
        gateway: '10.7.0.0',
        mask: 30,
        ports: { public_ip: null, public_port: null, static_port: null },
      },
      1,
    )
    expect(await set({ pop: segment('10.7.0.0') })).toMatchObject({
      reason: 'SEGMENT_TAKEN',
      msg: expect.stringContaining('双中心点互通'),
    })
    expect(await set({ center_link_network: null })).toMatchObject({ code: 422, msg: '网段不能为空' })
    expect(await set({ center_link_network: segment('10.8.0.0', 30) })).toMatchObject({ code: 200 })
    expect((await main.call(ipAddressPool, { network_number })).data.center_link_network).toEqual(
      segment('10.8.0.0', 30),
    )
  })

  it('a pool gives members addresses between its ends, and is refused where it cannot hold them', async () => {
    const { main, center, point, network_number } = await createPoolNetwork()
    const set = (end: string, pack: 0 | 1) =>
      main.call(editIpAddressPool, {
        network_number,
        pack,
        center_network: [{ router_name: center.name, router: { ...segment('10.200.0.0'), start: '10.200.1.0', end } }],
      })
    expect(await set('10.200.1.0', 1)).toMatchObject({
      ...refusal('POOL_TOO_SMALL', { hosts: 1, members: 2 }),
      data: { field: 'center_network.0.router.start' },
    })
    expect(await set('10.200.1.1', 0)).toMatchObject(refusal('HOSTS_OUTSIDE', { count: 1 }))
    expect(await set('10.200.1.1', 1)).toMatchObject({ code: 200 })
    const row = (await memberRows(network_number)).find((m) => m.routerId === point.id)
    expect([256, 257]).toContain(row?.host)
    const { data } = await main.call(networkApi.info, { network_number })
    expect(data.member.find((m) => m.router_name === point.name)?.vpn_ip).toEqual([`10.200.1.${row!.host - 256}`])
    const more = await createRouter(main.accountId)
    expect(
      await main.call(networkApi.addMember, { network_number, router_name: more.name, member_type: 'point' }),
    ).toMatchObject(refusal('POOL_TOO_SMALL', { hosts: 2, members: 3 }))
  })
})
