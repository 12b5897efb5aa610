import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { ImpactCall } from '#contract/network/changes.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { networks } from '#db/schema/networks.ts'
import { networkFrs } from '#db/schema/pop.ts'
import { createMainAccount, createRouter, createSoftwareRouter } from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'

async function createRoutedNetwork() {
  const main = await createMainAccount({ services: { network_member: 10 } })
  const { accountId } = main
  const center = await createRouter(accountId, { note: '总部', lans: ['10.1.0.0/16', '10.1.2.0/24'] })
  const point = await createRouter(accountId, { lans: ['10.2.0.0/24'] })
  const shop = await createRouter(accountId, { lans: ['10.3.0.0/24'] })
  const app = await createSoftwareRouter(accountId)
  const reply = await main.call(networkApi.create, {
    network_name: '测试网',
    center: [center.name],
    point: [point.name, shop.name, app.name],
  })
  return { main, center, point, shop, app, network_number: reply.data.network_number }
}

describe('network 2 · effective routes', () => {
  it('are those of the first point unless a member is named, in one round trip', async () => {
    const { main, center, point, shop, network_number } = await createRoutedNetwork()
    const read = await main.call(networkApi.routes, { network_number })
    expect(read).toMatchObject({ code: 200, trips: 1, router_name: point.name, count: 4 })
    expect(read.data.find(({ prefix }) => prefix === '10.3.0.0/24')).toEqual({
      prefix: '10.3.0.0/24',
      router_name: shop.name,
      router_name_note: '',
      via: center.name,
      via_note: '总部',
      state: 'chosen',
      rank: 1,
      blocked_by: null,
    })
    const ofCenter = await main.call(networkApi.routes, { network_number, router_name: center.name })
    expect(ofCenter.data.map(({ prefix }) => prefix)).toEqual(['10.2.0.0/24', '10.3.0.0/24'])
  })

  it('name the row that blocks one', async () => {
    const { main, network_number } = await createRoutedNetwork()
    await main.call(networkApi.editPrefix, { network_number, prefix: [{ ip: '10.1.0.0', mask: 16 }] })
    const { data } = await main.call(networkApi.routes, { network_number, search: '10.3.' })
    expect(data).toMatchObject([{ state: 'blocked', blocked_by: 0 }])
  })

  it('that prefix rows would block are named before the save, and counted after it', async () => {
    const { main, network_number, shop, center } = await createRoutedNetwork()
    const input = { network_number, prefix: [{ ip: '10.2.0.0', mask: 16 }] }
    const preview = await main.call(networkApi.impact, { call: 'edit_prefix', input })
    expect(preview).toMatchObject({ code: 200, trips: 1, data: { routes: { lost: 3, gained: 0, moved: 0 } } })
    expect(preview.data.moved_routes).toContainEqual({
      prefix: '10.3.0.0/24',
      router_name: shop.name,
      router_name_note: shop.name,
      effect: 'lost',
      old_via: ['总部'],
      new_via: [],
    })
    const blocked = async () => (await main.call(networkApi.info, { network_number })).data.blocked_count
    expect(await blocked()).toBe(0)
    await main.call(networkApi.editPrefix, input)
    expect(await blocked()).toBe(3)
    const rest = { ip: '0.0.0.0', mask: 0, name: '其余允许' }
    const open = { network_number, prefix: [...input.prefix, rest] }
    expect(await main.call(networkApi.impact, { call: 'edit_prefix', input: open })).toMatchObject({
      data: { routes: { lost: 0, gained: 3 } },
    })
    expect(await main.call(networkApi.editPrefix, open)).toMatchObject({ code: 200 })
    expect(await blocked()).toBe(0)
    const routes = [{ prefix: '10.9.0.0', mask: 16, via: '10.1.0.9' }]
    const routed = { network_number, router_name: center.name, routes }
    expect(await main.call(networkApi.impact, { call: 'static_routes', input: routed })).toMatchObject({
      data: { routes: { lost: 0, gained: 1, moved: 0 }, moved_routes: [{ prefix: '10.9.0.0/16', effect: 'gained' }] },
    })
  })

  it('that any setting of routing would move are named before its save', async () => {
    const main = await createMainAccount({ services: { network_member: 10 }, quagga: 1, defaultRoute: 1 })
    const { accountId } = main
    const [head, twin] = [await createRouter(accountId), await createRouter(accountId)]
    const [one, other] = [
      await createRouter(accountId, { lans: ['10.2.0.0/24'] }),
      await createRouter(accountId, { lans: ['10.3.0.0/24'] }),
    ]
    const create = async (center: readonly { readonly name: string }[]) =>
      main.call(networkApi.create, {
        network_name: '测试网',
        ...(center.length === 0 && { network_type: 2 }),
        center: center.map(({ name }) => name),
        point: [one.name, other.name],
      })
    const { network_number } = (await create([head, twin])).data
    const preview = async (of: ImpactCall, input: object, network = network_number) => {
      const reply = await main.call(networkApi.impact, { call: of, input: { network_number: network, ...input } })
      return {
        routes: reply.data.routes,
        named: reply.data.moved_routes.map(({ prefix, effect }) => `${effect} ${prefix}`),
      }
    }

    const routing = { type: 2, main_router: head.name, secondary_router: twin.name }
    expect(await preview('edit_routing', routing)).toEqual({
      routes: { lost: 0, gained: 0, moved: 2 },
      named: ['moved 10.2.0.0/24', 'moved 10.3.0.0/24'],
    })

    await main.call(networkApi.defaultRoute, { network_number, router_name: head.name, model: 1, metric: 30 })
    const receive = { router_name: one.name, model: 2 } as const
    expect((await preview('default_route', receive)).routes).toEqual({ lost: 0, gained: 1, moved: 0 })
    await main.call(networkApi.defaultRoute, { network_number, ...receive })
    expect(await preview('default_route', { router_name: head.name, model: 0 })).toEqual({
      routes: { lost: 1, gained: 0, moved: 0 },
      named: ['lost 0.0.0.0/0'],
    })

    const { data } = await create([])
    const pop = await createPop()
    const number = await createTicket(main, data.network_number, [pop], { [pop.id]: [one.name, other.name] })
    await call(opsApi.startNetworkTicket, { number })
    await call(opsApi.completeNetworkTicket, { number })
    const without = { router_name: other.name, ov_id_main: 0 }
    expect((await preview('member_ov', without, data.network_number)).named).toEqual(
      expect.arrayContaining(['lost 10.2.0.0/24', 'lost 10.3.0.0/24']),
    )
  })

  it.each([
    [
      'rows behind it',
      [
        { ip: '0.0.0.0', mask: 0 },
        { ip: '10.1.0.0', mask: 16 },
      ],
      '“其余允许”之后的网络号不会生效',
    ],
    ['another mask', [{ ip: '0.0.0.0', mask: 8 }], '请输入正确的网络号'],
    ['another number', [{ ip: '10.0.0.0', mask: 0 }], '掩码取值范围在8~32'],
    ['a denial', [{ ip: '0.0.0.0', mask: 0, permission: 'deny' as const }], '请输入正确的网络号'],
  ])('a row for the rest is refused with %s', async (_, prefix, sentence) => {
    const { main, network_number } = await createRoutedNetwork()
    const refused = await main.call(networkApi.editPrefix, { network_number, prefix })
    expect(refused).toMatchObject({ code: 422, msg: expect.stringContaining(sentence) })
  })

  it('are found by an address, the longest prefix first, or by a note', async () => {
    const { main, network_number } = await createRoutedNetwork()
    const find = async (search: string) =>
      (await main.call(networkApi.routes, { network_number, search })).data.map(({ prefix }) => prefix)
    expect(await find('10.1.2.3')).toEqual(['10.1.2.0/24', '10.1.0.0/16'])
    expect(await find('10.9.9.9')).toEqual([])
    expect(await find('总部')).toHaveLength(4)
  })

  it('a software member has none', async () => {
    const { main, app, network_number } = await createRoutedNetwork()
    const input = { network_number, router_name: app.name }
    expect(await main.call(networkApi.routes, input)).toMatchObject(refusal('HARDWARE_ONLY'))
  })

  it('lead over the nodes of POP areas, which go by the name of their area', async () => {
    const { main, center, point, shop, network_number } = await createRoutedNetwork()
    const pop = await createPop()
    const members = { [pop.id]: [center.name, point.name] }
    const number = await createTicket(main, network_number, [pop], members)
    await call(opsApi.startNetworkTicket, { number })
    await call(opsApi.completeNetworkTicket, { number })
    const toShop = async () => {
      const { data, trips } = await main.call(networkApi.routes, { network_number, search: '10.3.0.1' })
      expect(trips).toBe(1)
      return data.map(({ router_name, via, via_note, state }) => [router_name, via, via_note, state])
    }
    expect((await toShop()).toSorted()).toEqual(
      [
        [shop.name, center.name, '总部', 'chosen'],
        [shop.name, pop.node.name, `POP ${pop.name}`, 'standby'],
      ].toSorted(),
    )
    await db.update(networks).set({ mode: 2 }).where(eq(networks.number, network_number))
    expect((await toShop()).find(([, via]) => via === pop.node.name)?.at(-1)).toBe('chosen')
    await db.update(networkFrs).set({ lapsed: 1 }).where(eq(networkFrs.accountId, main.accountId))
    expect(await toShop()).toEqual([[shop.name, center.name, '总部', 'chosen']])
  })
})
