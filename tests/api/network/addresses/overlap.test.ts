import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerStates } from '#db/schema/routers.ts'
import { HIDDEN_OWNER } from '#domain/network/addresses/overlap.ts'
import {
  type Caller,
  type TestRouter,
  createMainAccount,
  createNetwork,
  createRouter,
  createSubAccount,
  lanPort,
  memberRows,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

let main: Caller
beforeEach(async () => {
  main = await createMainAccount({ services: { network_member: 50, center: 4 } })
})

/** A device that reports these segments; `wan` towards its carrier. */
const create = (note: string, lan: string | null, wan?: string): Promise<TestRouter> => {
  const ports: InterfaceInfo[] = lan === null ? [] : [lanPort(lan, 0)]
  if (wan !== undefined) ports.push({ ...lanPort(wan, 1), interface: 'wan0', role: 'wan' })
  return createRouter(main.accountId, { note, state: { interfaces: JSON.stringify(ports) } })
}
const add = (network_number: string, { name }: TestRouter, who = main) =>
  who.call(networkApi.addMember, { network_number, router_name: name, member_type: 'point' })
const conflict = (a: string, segment_a: string, b: string, segment_b: string) =>
  refusal('SEGMENT_CONFLICT', { a, segment_a, b, segment_b })

describe('design 12 · an overlap that a device reports later', () => {
  async function createTwins() {
    const [hub, one, late] = [
      await create('总部', null),
      await create('一店', '192.168.1.1/24'),
      await create('二店', null),
    ]
    const number = await createNetwork(main, [hub, one, late])
    const interfaces = JSON.stringify([lanPort('192.168.1.9/25', 0)])
    await db.update(routerStates).set({ interfaces }).where(eq(routerStates.routerId, late.id))
    return { hub, one, late, number }
  }

  it('stops nobody else: unrelated members are added, one by one and in a plan', async () => {
    const { hub, one, late, number } = await createTwins()
    const [third, fourth] = [await create('三店', '10.3.0.1/24'), await create('四店', '10.4.0.1/24')]
    expect(await add(number, third)).toMatchObject({ code: 200, trips: 2 })
    const point = [one, late, third, fourth].map(({ name }) => name)
    const plan = { network_number: number, network_name: '测试网', center: [hub.name], point }
    expect(await main.call(networkApi.edit, plan)).toMatchObject({ code: 200, trips: 2 })
    expect((await main.call(networkApi.info, { network_number: number })).data.overlaps).toEqual([
      {
        a: '一店',
        segment_a: '192.168.1.0/24',
        b: '二店',
        segment_b: '192.168.1.0/25',
        routers: [one.name, late.name],
      },
    ])
  })

  it('stops whoever is part of it: a third with that segment, and one of the two as a centre', async () => {
    const { hub, one, late, number } = await createTwins()
    expect(await add(number, await create('三店', '192.168.1.200/25'))).toMatchObject({ reason: 'SEGMENT_CONFLICT' })
    const plan = { network_number: number, network_name: '测试网', center: [hub.name, late.name], point: [one.name] }
    expect(await main.call(networkApi.edit, plan)).toMatchObject({ reason: 'SEGMENT_CONFLICT' })
  })
})

describe('design 12 · overlapping segments are checked per router, over all networks it is in', () => {
  it('two networks that share a router may not both hold a segment', async () => {
    const hub = await create('总部', '10.1.0.1/24')
    const first = await createNetwork(main, [hub, await create('一店', '192.168.1.1/24')], '一区')
    const second = await createNetwork(main, [hub], '二区')
    const same = await create('二店', '192.168.1.1/25')
    expect(await add(second, same)).toMatchObject(
      conflict('组网“一区”的一店', '192.168.1.0/24', '二店', '192.168.1.0/25'),
    )
    expect(await add(second, await create('三店', '192.168.2.1/24'))).toMatchObject({ code: 200, trips: 2 })
    const third = await createNetwork(main, [await create('分部', '10.2.0.1/24'), same], '三区')
    expect(await add(third, hub)).toMatchObject({ code: 422, reason: 'SEGMENT_CONFLICT' }) // it would see both
    expect(await memberRows(first)).toHaveLength(2)
  })

  it('networks that share none may, also through a third', async () => {
    const [a, b] = [await create('甲', null), await create('乙', null)]
    await createNetwork(main, [a, await create('一店', '192.168.1.1/24')], '一区')
    await createNetwork(main, [a, b], '中间')
    const far = await createNetwork(main, [b], '二区')
    expect(await add(far, await create('二店', '192.168.1.1/24'))).toMatchObject({ code: 200 })
  })

  it('creating and editing are checked alike', async () => {
    const hub = await create('总部', null)
    await createNetwork(main, [hub, await create('一店', '192.168.1.1/24')], '一区')
    const same = await create('二店', '192.168.1.1/24')
    const plan = { network_name: '二区', center: [hub.name], point: [same.name] }
    expect(await main.call(networkApi.create, plan)).toMatchObject({ reason: 'SEGMENT_CONFLICT' })
    const number = await createNetwork(main, [hub], '二区')
    expect(await main.call(networkApi.edit, { ...plan, network_number: number })).toMatchObject({
      reason: 'SEGMENT_CONFLICT',
    })
  })

  it('a WAN subnet counts against LANs and segments, never against another WAN', async () => {
    const hub = await create('总部', '192.168.1.1/24', '172.16.0.2/24')
    const number = await createNetwork(main, [hub])
    expect(await add(number, await create('一店', '10.1.0.1/24', '172.16.0.3/24'))).toMatchObject({ code: 200 })
    expect(await add(number, await create('二店', '10.2.0.1/24', '192.168.1.7/24'))).toMatchObject(
      conflict('总部', '192.168.1.0/24', '二店', '192.168.1.0/24'),
    )
    expect(await add(number, await create('三店', '172.16.0.0/28'))).toMatchObject({ reason: 'SEGMENT_CONFLICT' })
    expect(await add(number, await create('四店', null, '100.64.3.7/20'))).toMatchObject({ reason: 'SEGMENT_CONFLICT' })
  })

  it('default segments avoid every address that a device of the account reports', async () => {
    await create('别处', '100.64.5.1/24')
    const foreign = [{ ...lanPort('100.64.72.9/24', 0), interface: 'tailscale0', role: 'tunnel' }]
    await createRouter(main.accountId, { note: '外部', state: { interfaces: JSON.stringify(foreign) } })
    await create('再一处', '100.64.100.1/24')
    const number = await createNetwork(main, [await create('总部', null, '100.64.35.7/20')])
    const [center] = await memberRows(number)
    expect(center?.segmentIndex).toBe(4) // 0 and 3 are LANs elsewhere, 1 its own WAN, 2 another VPN's tunnel
    const info = await main.call(networkApi.info, { network_number: number })
    expect(info.data).toMatchObject({ overlaps: [], member: [{ vpn_ip: ['100.64.128.1'] }] })
  })

  it('a device that reports the whole range leaves default segments all the same', async () => {
    await create('别处', null, '100.64.0.9/10')
    expect(await memberRows(await createNetwork(main, [await create('总部', null)]))).toMatchObject([
      { segmentIndex: 0 },
    ])
  })

  it('is decided again when another network of a shared router changes meanwhile', async () => {
    const hub = await create('总部', null)
    const [one, other] = [await create('一店', '192.168.1.1/24'), await create('二店', '192.168.1.1/24')]
    const [first, second] = [await createNetwork(main, [hub], '一区'), await createNetwork(main, [hub], '二区')]
    const { call } = createTestWorker({ afterFirstTrip: () => add(first, one) })
    const reply = await call(
      networkApi.addMember,
      { network_number: second, router_name: other.name, member_type: 'point' },
      main.token,
    )
    expect(reply).toMatchObject({ reason: 'SEGMENT_CONFLICT', trips: 3 })
  })

  it('is decided again when a router begins to share two networks meanwhile', async () => {
    const [bridge, center] = [await create('桥', null), await create('中心', null)]
    const first = await createNetwork(main, [center, bridge], '一区')
    const second = await createNetwork(
      main,
      [await create('总部', null), await create('一店', '192.168.1.1/24')],
      '二区',
    )
    const { call } = createTestWorker({ afterFirstTrip: () => add(second, bridge) })
    const joining = await create('二店', '192.168.1.1/24')
    const input = { network_number: first, router_name: joining.name, member_type: 'point' as const }
    expect(await call(networkApi.addMember, input, main.token)).toMatchObject({ reason: 'SEGMENT_CONFLICT' })
  })

  it('a limited role is shown neither the name nor the segment of a member it may not see', async () => {
    const hub = await create('总部', null)
    const secret = await create('机密点', '192.168.1.1/24')
    await createNetwork(main, [hub, secret], '机密网')
    const own = await createNetwork(main, [hub, await create('一店', '10.1.0.1/24')], '我的网')
    const same = await create('二店', '192.168.1.0/25')
    const other = await createNetwork(main, [same], '也是我的')
    const sub = await createSubAccount(main, { flags: ['network:edit'], networks: [own, other] })
    const reply = await add(own, same, sub)
    expect(reply).toMatchObject(
      refusal('SEGMENT_CONFLICT_HIDDEN', { a: '二店', segment_a: '192.168.1.0/25', b: HIDDEN_OWNER }),
    )
    expect(JSON.stringify(reply)).not.toContain('机密')
  })
})
