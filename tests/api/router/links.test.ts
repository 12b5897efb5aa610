import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import type { LinkState, LinkView } from '#contract/kernel/protocol.ts'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { saveMemberSettings } from '#features/network/sql/settings.ts'
import { networkFrs, popMembers } from '#db/schema/pop.ts'
import { defaultSegments, hostAddress } from '#domain/network/addresses/segments.ts'
import { linkId } from '#domain/network/members/links.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createFleet,
  createNetwork,
  createSubAccount,
  memberRows,
  networkRow,
  type TestRouter,
} from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { call, createTestWorker, db } from '#tests/support/test-worker.ts'

const link = (number: string, point: TestRouter, center: TestRouter, state: LinkState = 'up'): LinkView => ({
  id: linkId(number, point.name, center.name),
  router_name: point.name,
  center_router_name: center.name,
  state,
  since: 7,
  reason: state === 'up' ? '' : '两端均收不到对方的探测',
  rtt_ms: state === 'up' ? 8.5 : null,
  client_up: state === 'up',
  server_up: state === 'up',
})

const PATHS = { up: 1, unknown: 1, total: 2, single_center: 1 }

/** The worker with network hubs that know these links; another hub does not answer. */
function workerWith(links: Readonly<Record<string, readonly LinkView[]>>) {
  const fake = fakeHubs({
    'network.routerLinks': (hub: string) => {
      const known = links[hub]
      if (known === undefined) throw new Error('overloaded')
      return { links: known, paths: PATHS }
    },
  })
  return { calls: fake.calls, worker: createTestWorker({ hubs: fake.hubs }) }
}

describe('design 8 · router/info, links', () => {
  it('of a point name the centres with the addresses of both ends', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, point, other] = routers
    const number = await createNetwork(main, [center!, point!, other!], '华东')
    const { hub, revision } = await networkRow(number)
    const { worker, calls } = workerWith({ [hub]: [link(number, point!, center!)] })
    const reply = await worker.call(routerApi.info, { router_name: point!.name }, main.token)
    expect(reply).toMatchObject({ code: 200, trips: 1 })
    const [centerRow, pointRow] = await memberRows(number)
    const { hardware } = defaultSegments(centerRow!.segmentIndex!)
    expect(reply.data).toMatchObject({
      link: [
        {
          ...link(number, point!, center!),
          network_number: number,
          network_name: '华东',
          peer: { router_name: center!.name, note: '', member_type: 'center' },
          vpn_ip: hostAddress(hardware, pointRow!.host),
          peer_vpn_ip: hostAddress(hardware, 1),
        },
      ],
      link_count: { up: 1, down: 0, one_sided: 0, unknown: 0, never: 0 },
      link_missing: [],
    })
    expect(calls.map(({ method, args }) => [method, ...args])).toEqual([['routerLinks', revision, point!.name]])
  })

  it('show addresses of the segment that the centre has chosen', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, point] = routers
    const number = await createNetwork(main, [center!, point!], '华东')
    const value = { router: { gateway: '10.99.0.0', mask: 24 }, software: null }
    await saveMemberSettings(db, { accountId: main.accountId, number }, 'gateway', [{ routerId: center!.id, value }], 1)
    const { worker } = workerWith({ [(await networkRow(number)).hub]: [link(number, point!, center!)] })
    const ends = async (router_name: string) => {
      const { data } = await worker.call(routerApi.info, { router_name }, main.token)
      return data.link.map(({ vpn_ip, peer_vpn_ip }) => [vpn_ip, peer_vpn_ip])
    }
    expect(await ends(point!.name)).toEqual([['10.99.0.3', '10.99.0.1']])
    expect(await ends(center!.name)).toEqual([['10.99.0.1', '10.99.0.3']])
  })

  it('of two centres and of two points have the addresses of the link', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, twin, one, two] = routers
    const plan = { network_name: '双中心', center: [center!.name, twin!.name], point: [one!.name, two!.name] }
    const number = (await main.call(networkApi.create, plan)).data.network_number
    const ports = { public_ip: '203.0.113.1', public_port: 6000, static_port: 6000 }
    const target = { network_number: number }
    const twinLink = { ...target, center_router_name: center!.name, mask: 30, enable: 1, ...ports } as const
    expect(await main.call(networkApi.centerLink, { ...twinLink, gateway: '172.31.255.0' })).toMatchObject({
      code: 200,
    })
    const link_config = [{ router_name: two!.name, gateway: '172.31.1.0', mask: 30, static_port: null }]
    await main.call(networkApi.editPointLink, { ...target, router_name: one!.name, link_config })
    const { hub } = await networkRow(number)
    const [ofCenters, ofPoints] = [
      { ...link(number, twin!, center!), kind: 'center' as const },
      { ...link(number, two!, one!), kind: 'point' as const },
    ]
    const ends = async (shown: LinkView, router_name: string) => {
      const { data } = await workerWith({ [hub]: [shown] }).worker.call(routerApi.info, { router_name }, main.token)
      return data.link.map(({ vpn_ip, peer_vpn_ip }) => [vpn_ip, peer_vpn_ip])
    }
    expect(await ends(ofCenters, twin!.name)).toEqual([['172.31.255.2', '172.31.255.1']])
    expect(await ends(ofCenters, center!.name)).toEqual([['172.31.255.1', '172.31.255.2']])
    expect(await ends(ofPoints, one!.name)).toEqual([['172.31.1.1', '172.31.1.2']])
    await main.call(networkApi.centerLink, { ...twinLink, gateway: '' })
    const [own, other] = (await memberRows(number)).map((row) =>
      hostAddress(defaultSegments(row.segmentIndex ?? 0).hardware, 1),
    )
    expect(await ends(ofCenters, center!.name)).toEqual([[own, other]])
  })

  it('of a centre stand worst first, over all its networks, and are counted', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, a, b, c] = routers
    const first = await createNetwork(main, [center!, a!, b!], '一')
    const second = await createNetwork(main, [center!, c!], '二')
    const { worker } = workerWith({
      [(await networkRow(first)).hub]: [link(first, a!, center!), link(first, b!, center!, 'down')],
      [(await networkRow(second)).hub]: [link(second, c!, center!, 'one_sided')],
    })
    const { data } = await worker.call(routerApi.info, { router_name: center!.name }, main.token)
    expect(data.link.map(({ state, network_name, peer }) => [state, network_name, peer.router_name])).toEqual([
      ['down', '一', b!.name],
      ['one_sided', '二', c!.name],
      ['up', '一', a!.name],
    ])
    expect(data.link_count).toMatchObject({ up: 1, down: 1, one_sided: 1 })
    expect(data.paths).toEqual({ up: 2, unknown: 2, total: 4, single_center: 1 })
  })

  it('lead to the POP nodes that it dials, by area, with the addresses of both ends; not to those of a resource that is over', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, point] = routers
    const number = await createNetwork(main, [center!, point!])
    const pop = await createPop()
    const ticket = await createTicket(main, number, [pop], { [pop.id]: [point!.name] })
    await call(opsApi.startNetworkTicket, { number: ticket })
    const { network_fr_id } = (await call(opsApi.completeNetworkTicket, { number: ticket })).data
    const { hub } = await networkRow(number)
    const shown = [link(number, point!, center!), { ...link(number, point!, pop.node), kind: 'pop' as const }]
    const { worker } = workerWith({ [hub]: shown })
    const read = () => worker.call(routerApi.info, { router_name: point!.name }, main.token)
    const { data, trips } = await read()
    expect([trips, data.link_count.up]).toEqual([1, 2])
    const [row] = await db.select().from(popMembers).where(eq(popMembers.routerId, pop.node.id))
    const { hardware } = defaultSegments(row!.segmentIndex)
    const own = (await memberRows(number)).find(({ routerId }) => routerId === point!.id)
    expect(data.link.find(({ kind }) => kind === 'pop')).toMatchObject({
      peer: { router_name: pop.node.name, note: pop.name, member_type: 'pop' },
      network_number: number,
      state: 'up',
      rtt_ms: 8.5,
      vpn_ip: hostAddress(hardware, own!.host),
      peer_vpn_ip: hostAddress(hardware, 1),
    })
    await db.update(networkFrs).set({ lapsed: 1 }).where(eq(networkFrs.id, network_fr_id))
    expect((await read()).data.link.map(({ kind }) => kind)).toEqual([undefined])
  })

  it('a hub that does not answer leaves its network out, and the reply says so', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, a, b] = routers
    const known = await createNetwork(main, [center!, a!], '一')
    const silent = await createNetwork(main, [center!, b!], '二')
    const { worker } = workerWith({ [(await networkRow(known)).hub]: [link(known, a!, center!)] })
    const { data } = await worker.call(routerApi.info, { router_name: center!.name }, main.token)
    expect(data.link.map(({ network_number }) => network_number)).toEqual([known])
    expect(data.link_missing).toEqual([silent])
  })

  it('a role limited to networks sees the links of those only; other hubs are not asked', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, a, b] = routers
    const own = await createNetwork(main, [center!, a!], '可见')
    const hidden = await createNetwork(main, [center!, b!], '不可见')
    const sub = await createSubAccount(main, { networks: [own] })
    const { hub } = await networkRow(own)
    const { worker, calls } = workerWith({ [hub]: [link(own, a!, center!)] })
    const { data } = await worker.call(routerApi.info, { router_name: center!.name }, sub.token)
    expect(data.link.map(({ network_name }) => network_name)).toEqual(['可见'])
    const text = JSON.stringify(data)
    for (const name of ['不可见', hidden, b!.name]) expect(text).not.toContain(name)
    expect(calls.map((call) => call.hub)).toEqual([hub])
  })

  it('software members, and networks without another end, have none; no hub is asked', async () => {
    const { main, routers, apps } = await createFleet({ centers: 2 })
    const alone = await createNetwork(main, [routers[0]!, apps[0]!])
    const { worker, calls } = workerWith({})
    for (const { name } of [routers[0]!, apps[0]!]) {
      const { data } = await worker.call(routerApi.info, { router_name: name }, main.token)
      expect(data).toMatchObject({ network: [{ network_number: alone }], link: [], link_missing: [] })
    }
    expect(calls).toEqual([])
  })

  it('a link to a member that has just left is left out; so many are answered at most', async () => {
    const { main, routers } = await createFleet({ centers: 1 })
    const [center, a, gone] = routers
    const number = await createNetwork(main, [center!, a!])
    const { hub } = await networkRow(number)
    const some = workerWith({ [hub]: [link(number, gone!, center!), link(number, a!, center!)] })
    const ask = (worker: typeof some.worker) => worker.call(routerApi.info, { router_name: center!.name }, main.token)
    expect((await ask(some.worker)).data.link.map(({ peer }) => peer.router_name)).toEqual([a!.name])
    const many = Array.from({ length: NETWORK.linksShown }, () => link(number, a!, center!))
    const { data } = await ask(workerWith({ [hub]: [...many, link(number, a!, center!, 'down')] }).worker)
    expect([data.link.length, data.link[0]?.state, data.link_count.up]).toEqual([
      NETWORK.linksShown,
      'down',
      NETWORK.linksShown,
    ])
  })
})
