import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { networkFrAreas, networkFrs, pops } from '#db/schema/pop.ts'
import { networks, memberSettings, networkSettings } from '#db/schema/networks.ts'
import { saveMemberSettings, saveNetworkSetting } from '#features/network/sql/settings.ts'
import { createFleet, createNetwork, networkRow, unique } from '#tests/support/fixtures.ts'
import { db } from '#tests/support/test-worker.ts'

async function aTwinNetwork() {
  const { main, routers } = await createFleet({ centers: 2, hardware: 3, software: 0 })
  const [center, twin, point] = routers
  const reply = await main.call(networkApi.create, {
    network_name: '双中心',
    center: [center!.name, twin!.name],
    point: [point!.name],
  })
  const number = reply.data.network_number
  return { main, number, key: { accountId: main.accountId, number }, center: center!, twin: twin!, point: point! }
}

describe('network 3 · settings in network/info', () => {
  it('are the defaults, with revision 0, before anything was set', async () => {
    const { main, number, center, point } = await aTwinNetwork()
    const { data, trips } = await main.call(networkApi.info, { network_number: number })
    expect(trips).toBe(1)
    expect(data).toMatchObject({
      network_type: 1,
      network_dns: [],
      network_fr: null,
      network_center_link: 0,
      network_center_link_show: 1,
      network_center_link_network: { center_router_name: '', public_ip: '', public_port: null, static_port: null },
      revisions: { center_link: 0, dns: 0, prefix: 0, routing: 0 },
      network_config: { dns_quantity: 2 },
    })
    const byName = Object.fromEntries(data.member.map((m) => [m.router_name, m]))
    const plain = { mode: 1, routing: 0, default_route: 0, metric: null, quagga: 0, revisions: { gateway: 0 } }
    expect(byName[point.name]).toMatchObject({ ...plain, fixed_port: null, gateway: null })
    const ports = { public_ip: '', public_port: null, static_port: null }
    expect(byName[center.name]).toMatchObject({
      ...plain,
      center_router_name_note: '',
      ov_id: { main: null, backup: null, main_name: '', backup_name: '', priority: 3 },
      fixed_port: { router_service: { ...ports, port: 20_000 }, software_service: { ...ports, port: 20_001 } },
      gateway: { router: { gateway: '100.64.0.0', mask: 20 }, software: { gateway: '100.64.16.0', mask: 20 } },
    })
  })

  it('are what was set, and their revisions count the edits of each', async () => {
    const { main, number, key, center, point } = await aTwinNetwork()
    const now = Date.now()
    await saveNetworkSetting(db, key, 'dns', ['10.0.0.53'], now)
    await saveNetworkSetting(db, key, 'dns', ['10.0.0.54'], now)
    await saveNetworkSetting(db, key, 'routing', { type: 2, main: center.id, secondary: null }, now)
    await saveMemberSettings(db, key, 'default_route', [{ routerId: point.id, value: { mode: 1, metric: 60 } }], now)
    const gateway = { router: { gateway: '10.99.0.0', mask: 24 }, software: null }
    await saveMemberSettings(db, key, 'gateway', [{ routerId: center.id, value: gateway }], now)
    const { data } = await main.call(networkApi.info, { network_number: number })
    expect(data).toMatchObject({ network_dns: ['10.0.0.54'], revisions: { dns: 2, routing: 1, prefix: 0 } })
    const byName = Object.fromEntries(data.member.map((m) => [m.router_name, m]))
    expect(byName[point.name]).toMatchObject({ default_route: 1, metric: 60, revisions: { default_route: 1 } })
    expect(byName[center.name]).toMatchObject({
      routing: 1,
      vpn_ip: ['10.99.0.1'],
      gateway: { router: { gateway: '10.99.0.0', mask: 24 } },
    })
    const { data: centers } = await main.call(networkApi.member, { network_number: number, member_type: 'center' })
    expect(centers.find((m) => m.router_name === center.name)).toEqual(byName[center.name])
  })

  it('name the POP resource and the areas of a member; the network is of type 3 then', async () => {
    const { main, number, key, point } = await aTwinNetwork()
    const [pop] = await db
      .insert(pops)
      .values({ name: unique('上海'), createdAt: 1 })
      .returning()
    const [fr] = await db
      .insert(networkFrs)
      .values({ accountId: main.accountId, name: '骨干接入', shortname: '骨干', createdAt: 1, expireAt: 2 })
      .returning()
    const [area] = await db
      .insert(networkFrAreas)
      .values({ accountId: main.accountId, frId: fr!.id, popId: pop!.id, bandwidth: 10 })
      .returning()
    await db
      .update(networks)
      .set({ frId: fr!.id })
      .where(eq(networks.id, (await networkRow(number)).id))
    const ov = { main: area!.id, backup: null, priority: 2 }
    await saveMemberSettings(db, key, 'ov', [{ routerId: point.id, value: ov }], 1)
    const { data } = await main.call(networkApi.info, { network_number: number })
    expect(data).toMatchObject({
      network_type: 3,
      fr_name: '骨干接入',
      network_fr: { network_fr_id: fr!.id, shortname: '骨干' },
    })
    expect(data.member.find((m) => m.router_name === point.name)?.ov_id).toEqual({
      ...ov,
      main_name: pop!.name,
      backup_name: '',
    })
    const listed = async () => (await main.call(networkApi.lists, {})).data[0]
    expect(await listed()).toMatchObject({ network_type: 3, fr_name: '骨干接入', fr_expire_day: 0 })
    const term = (values: { expireAt?: number; lapsed?: 0 | 1 }) =>
      db.update(networkFrs).set(values).where(eq(networkFrs.id, fr!.id))
    await term({ expireAt: Number.MAX_SAFE_INTEGER })
    expect((await listed())?.fr_expire_day).toBeGreaterThan(0)
    await term({ lapsed: 1 })
    expect((await listed())?.fr_expire_day).toBe(0)
  })

  it('go with the member and with the network', async () => {
    const { main, number, key, point } = await aTwinNetwork()
    const { id } = await networkRow(number)
    await saveNetworkSetting(db, key, 'dns', ['10.0.0.53'], 1)
    await saveMemberSettings(db, key, 'quagga', [{ routerId: point.id, value: { enable: 1 } }], 1)
    const ofMembers = () => db.select().from(memberSettings).where(eq(memberSettings.networkId, id))
    const ofNetwork = () => db.select().from(networkSettings).where(eq(networkSettings.networkId, id))
    await main.call(networkApi.removeMember, { network_number: number, router_name: point.name })
    expect([await ofMembers(), (await ofNetwork()).length]).toEqual([[], 1])
    await main.call(networkApi.delete, { network_number: number })
    expect(await ofNetwork()).toEqual([])
  })

  it('another account sees none of them', async () => {
    const { number, key } = await aTwinNetwork()
    await saveNetworkSetting(db, key, 'dns', ['10.0.0.53'], 1)
    const { main: stranger, routers } = await createFleet({ hardware: 1 })
    const own = await createNetwork(stranger, routers)
    expect((await stranger.call(networkApi.info, { network_number: own })).data.network_dns).toEqual([])
    expect((await stranger.call(networkApi.info, { network_number: number })).reason).toBe('NETWORK_NOT_FOUND')
  })
})
