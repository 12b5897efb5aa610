import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { routerStates } from '#db/schema/routers.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createRouter,
  createSoftwareRouter,
  lanPort,
  createMany,
  createFleet,
  createNetwork,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

const seenAt = Date.now() - 60_000
const online = { presence: 'online', presenceSince: seenAt, lastSeenAt: seenAt, version: '1.4.0' } as const

describe('network 7 · network/info, member and status', () => {
  const { health } = evaluateNetwork([], [])
  const view = {
    seq: 7,
    members: [],
    health,
    links: [
      {
        id: 'b>a',
        router_name: 'b',
        center_router_name: 'a',
        state: 'up',
        since: 5,
        reason: '',
        rtt_ms: 3,
        client_up: true,
        server_up: true,
      },
    ],
  }

  async function aSeenNetwork() {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const a = await createRouter(main.accountId, {
      note: '总部',
      lans: ['10.1.0.1/16'],
      state: { ...online, remoteHost: '203.0.113.7' },
    })
    const b = await createRouter(main.accountId, {
      state: { presence: 'offline', presenceReason: '心跳超时', configState: 'queued', configVersion: 2 },
    })
    const app = await createSoftwareRouter(main.accountId, { note: '小王' })
    const number = await createNetwork(main, [a, b, app], '华东')
    return { main, a, b, app, number }
  }

  it('info answers members from rows and links from the hub, in one round trip', async () => {
    const { main, a, b, app, number } = await aSeenNetwork()
    const worker = createTestWorker({ hubs: fakeHubs({ 'network.status': () => view }).hubs })
    const reply = await worker.call(networkApi.info, { network_number: number }, main.token)
    expect(reply).toMatchObject({
      code: 200,
      trips: 1,
      data: {
        network_number: number,
        network_name: '华东',
        network_status: 1,
        network_type: 1,
        network_service: 1,
        member_count: 3,
        mode: 1,
        ncp_ciphers: 'default',
        revision: 1,
        network_config: { network_router_use: 3, network_router_count: 10, network_center_count: 3 },
        link: view.links,
        health,
        overlaps: [],
      },
    })
    expect(reply.data.member).toMatchObject([
      {
        router_name: a.name,
        note: '总部',
        member_type: 'center',
        online: 1,
        version: '1.4.0',
        vpn_ip: ['100.64.0.1'],
        lan: ['10.1.0.0/16'],
        remote_ip: '203.0.113.7',
        presence: { state: 'online', since: seenAt },
        config: { state: 'none' },
      },
      {
        router_name: b.name,
        member_type: 'point',
        online: 0,
        vpn_ip: ['100.64.0.3'],
        lan: [],
        remote_ip: '',
        presence: { state: 'offline', reason: '心跳超时' },
        config: { state: 'queued', version: 2 },
      },
      { router_name: app.name, router_type: 2, online: 0, presence: { state: 'never' }, vpn_ip: [] },
    ])
    expect(JSON.stringify(reply.data)).not.toMatch(/secret/)
  })

  it('info answers LANs that began to overlap after their owners had joined', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const a = await createRouter(main.accountId, { note: '总部', lans: ['10.1.0.1/16'] })
    const b = await createRouter(main.accountId, { lans: ['10.2.0.1/24'] })
    const number = await createNetwork(main, [a, b])
    const overlaps = async () => (await main.call(networkApi.info, { network_number: number })).data.overlaps
    expect(await overlaps()).toEqual([])
    const interfaces = JSON.stringify([lanPort('10.1.9.1/24', 0)])
    await db.update(routerStates).set({ interfaces }).where(eq(routerStates.routerId, b.id))
    expect(await overlaps()).toEqual([
      {
        a: '总部',
        segment_a: '10.1.0.0/16',
        b: b.name,
        segment_b: '10.1.9.0/24',
        routers: [a.name, b.name],
      },
    ])
  })

  it('info still answers when the hub cannot: links are unknown', async () => {
    const { main, a, b, number } = await aSeenNetwork()
    const broken = () => {
      throw new Error('overloaded')
    }
    const worker = createTestWorker({ hubs: fakeHubs({ 'network.status': broken }).hubs })
    const reply = await worker.call(networkApi.info, { network_number: number }, main.token)
    expect(reply.data.health).toMatchObject({ state: 'partial', cause: '1 个成员离线', centers: { up: 1, total: 1 } })
    expect(reply.data.link).toEqual([
      {
        id: `${number}:${b.name}>${a.name}`,
        router_name: b.name,
        center_router_name: a.name,
        state: 'unknown',
        since: null,
        reason: '实时状态暂不可用',
        rtt_ms: null,
        client_up: null,
        server_up: null,
        router_name_note: '',
        center_router_name_note: '总部',
        vpn_ip: '100.64.0.3',
        center_vpn_ip: '100.64.0.1',
        vpn_online: 0,
        vpn_online_time: null,
      },
    ])
  })

  it('network 3 · info and status carry notes, address and time of a link', async () => {
    const { main, a, b, number } = await aSeenNetwork()
    const link = (state: string) => ({ ...view.links[0], router_name: b.name, center_router_name: a.name, state })
    const facts = {
      router_name_note: '',
      center_router_name_note: '总部',
      vpn_ip: '100.64.0.3',
      center_vpn_ip: '100.64.0.1',
    }
    const [up, down] = [link('up'), { ...link('down'), router_name: 'gone' }]
    const { hubs } = fakeHubs({ 'network.status': () => ({ ...view, links: [up, down] }) })
    const worker = createTestWorker({ hubs })
    const expected = [
      { ...up, ...facts, vpn_online: 1, vpn_online_time: 5 },
      { ...down, ...facts, vpn_ip: '', center_vpn_ip: '', vpn_online: 0, vpn_online_time: null },
    ]
    for (const spec of [networkApi.info, networkApi.status]) {
      const reply = await worker.call(spec, { network_number: number }, main.token)
      expect(reply).toMatchObject({ trips: 1, data: { link: expected } })
    }
  })

  it('member lists one kind', async () => {
    const { main, a, b, app, number } = await aSeenNetwork()
    const names = async (member_type: 'center' | 'point') => {
      const reply = await main.call(networkApi.member, { network_number: number, member_type })
      expect(reply.trips).toBe(1)
      return reply.data.map((m) => m.router_name)
    }
    expect(await names('center')).toEqual([a.name])
    expect(await names('point')).toEqual([b.name, app.name])
    expect(await main.call(networkApi.member, { network_number: number, member_type: 'x' as never })).toMatchObject({
      code: 422,
      data: { field: 'member_type' },
    })
  })

  it('status is the hub’s, with a flag by name', async () => {
    const { main, a, b, number } = await aSeenNetwork()
    const of = (router_name: string, state: 'online' | 'offline') => ({
      router_name,
      router_type: 1,
      member_type: 'point',
      presence: { state, since: null, last_seen: null, reason: '' },
      config: { state: 'none', version: 0, applied_version: null, reason: '', at: null },
    })
    const members = [of(a.name, 'online'), of(b.name, 'offline')]
    const worker = createTestWorker({ hubs: fakeHubs({ 'network.status': () => ({ ...view, members }) }).hubs })
    expect(await worker.call(networkApi.status, { network_number: number }, main.token)).toMatchObject({
      code: 200,
      trips: 1,
      data: { seq: 7, members, link: view.links, health, online: { [a.name]: 1, [b.name]: 0 } },
    })
  })
})

describe('network 7 · router/member', () => {
  it('offers members by kind and label with their segments and the networks they are in', async () => {
    const { main } = await createFleet({ hardware: 0, software: 0 })
    const wan = { ...lanPort('172.16.0.2/30', 2), role: 'wan' as const }
    const ports = [lanPort('10.1.0.1/24', 0), lanPort('10.1.0.9/24', 1), wan]
    const [a, b] = [
      await createRouter(main.accountId, { state: online }),
      await createRouter(main.accountId, { note: '备用', state: { interfaces: JSON.stringify(ports) } }),
    ]
    const apps = await createMany(2, () => createSoftwareRouter(main.accountId))
    const network_number = await createNetwork(main, [a, apps[0]!])
    const network = { network_number, network_name: '测试网' }
    const reply = await main.call(routerApi.member, {})
    expect(reply).toMatchObject({
      trips: 1,
      data: {
        router: [
          {
            router_name: a.name,
            online: 1,
            networks: [{ ...network, segment_index: 0, gateway: null }],
            lan: [],
            wan: [],
          },
          { router_name: b.name, note: '备用', online: 0, networks: [], lan: ['10.1.0.0/24'], wan: ['172.16.0.2/30'] },
        ],
      },
    })
    expect(reply.data.app.map((r) => r.router_name).toSorted()).toEqual(apps.map((r) => r.name).toSorted())
    expect((await main.call(routerApi.member, { search: '备' })).data).toMatchObject({
      router: [{ router_name: b.name }],
      app: [],
    })
  })
})

it('another account’s network answers like an unknown one', async () => {
  const { main, routers } = await createFleet()
  const stranger = await createFleet()
  const number = await createNetwork(main, [routers[0]!])
  const calls: readonly [Endpoint, object][] = [
    [networkApi.info, {}],
    [networkApi.status, {}],
    [networkApi.member, { member_type: 'point' }],
    [networkApi.name, { network_name: '抢' }],
    [networkApi.delete, {}],
    [networkApi.edit, { network_name: '抢', center: [stranger.routers[0]!.name], point: [] }],
    [networkApi.addMember, { router_name: stranger.routers[0]!.name, member_type: 'point' }],
    [networkApi.removeMember, { router_name: routers[0]!.name }],
    [networkApi.reSendConfig, {}],
  ]
  for (const network_number of [number, '1000000000'])
    for (const [spec, input] of calls) {
      const reply = await stranger.main.call(spec, { network_number, ...input })
      expect({ path: spec.path, ...reply }).toMatchObject({
        path: spec.path,
        ...refusal('NETWORK_NOT_FOUND'),
        data: null,
      })
    }
  expect(await stranger.main.call(networkApi.lists, {})).toMatchObject({ data: [], count: 0 })
  expect((await main.call(networkApi.lists, {})).data).toMatchObject([{ network_name: '测试网', member_count: 1 }])
})
