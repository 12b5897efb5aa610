import { describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { createSubAccount, createFleet, createNetwork, memberRows } from '#tests/support/fixtures.ts'
import { hubCalls, refusal } from '#tests/support/test-worker.ts'

/** Two networks that share a router, and a role limited to the first of them. */
async function createLimitedRole() {
  const { main, routers } = await createFleet({ hardware: 5, memberQuota: 20 })
  const [a, b, shared, other, idle] = routers
  const own = await createNetwork(main, [a!, b!, shared!], '我的网')
  const hidden = await createNetwork(main, [other!, shared!], '别的网')
  const sub = await createSubAccount(main, { flags: PERMISSIONS, networks: [own] })
  return { main, sub, own, hidden, a: a!, b: b!, shared: shared!, other: other!, idle: idle! }
}

describe('network 6 · a role limited to networks', () => {
  it('sees only those networks, counted and searched', async () => {
    const { sub, own } = await createLimitedRole()
    expect(await sub.call(networkApi.lists, {})).toMatchObject({ count: 1, data: [{ network_number: own }] })
    expect(await sub.call(networkApi.lists, { search: '别的' })).toMatchObject({ count: 0, data: [] })
    expect(await sub.call(networkApi.lists, { search: '网' })).toMatchObject({ count: 1 })
    expect((await sub.call(networkApi.select, {})).data).toEqual([{ network_number: own, network_name: '我的网' }])
  })

  it('sees only members of those networks, and of a shared one only what lies there', async () => {
    const { sub, own, a, b, shared, other, idle } = await createLimitedRole()
    const visible = [a, b, shared].map((r) => r.name).toSorted()
    const lists = await sub.call(routerApi.lists, {})
    expect(lists.count).toBe(3)
    expect(lists.data.map((r) => r.router_name).toSorted()).toEqual(visible)
    expect(lists.data.map((r) => r.network_count)).toEqual([1, 1, 1])
    expect(lists.data.filter((r) => r.shared === 1).map((r) => r.router_name)).toEqual([shared.name])
    const { member } = (await sub.call(networkApi.info, { network_number: own })).data
    expect(member.filter((r) => r.shared === 1).map((r) => r.router_name)).toEqual([shared.name])
    for (const { name } of [a, shared])
      expect((await sub.call(routerApi.info, { router_name: name })).data.shared).toBe(name === shared.name ? 1 : 0)
    expect(await sub.call(routerApi.lists, { search: other.name })).toMatchObject({ count: 0, data: [] })
    expect((await sub.call(routerApi.quantity, {})).data).toMatchObject({ hardware: 3, software: 0 })
    const candidates = (await sub.call(routerApi.member, {})).data
    expect(candidates.router.map((r) => r.router_name).toSorted()).toEqual(visible)
    expect(candidates.router.map((r) => r.networks.map((n) => n.network_number))).toEqual([[own], [own], [own]])
    expect((await sub.call(routerApi.info, { router_name: shared.name })).data.network).toMatchObject([
      { network_number: own },
    ])
    const calls: readonly [Endpoint, object][] = [
      [routerApi.info, {}],
      [routerApi.traffic, {}],
      [routerApi.series, { range: 'hour' }],
      [routerApi.note, { note: 'x' }],
      [routerApi.delete, {}],
      [routerApi.updateStatus, {}],
      [routerApi.resend, {}],
    ]
    for (const router_name of [other.name, idle.name, 'nobody'])
      for (const [spec, input] of calls) {
        const reply = await sub.call(spec, { router_name, ...input })
        expect({ path: spec.path, ...reply }).toMatchObject({ path: spec.path, ...refusal('ROUTER_NOT_FOUND') })
      }
  })

  it('writes only to those; others answer like unknown ones', async () => {
    const { sub, hidden, a, b } = await createLimitedRole()
    const calls: readonly [Endpoint, object][] = [
      [networkApi.info, {}],
      [networkApi.status, {}],
      [networkApi.member, { member_type: 'point' }],
      [networkApi.name, { network_name: '抢' }],
      [networkApi.delete, {}],
      [networkApi.edit, { network_name: '抢', center: [a.name], point: [] }],
      [networkApi.addMember, { router_name: b.name, member_type: 'point' }],
      [networkApi.removeMember, { router_name: b.name }],
      [networkApi.reSendConfig, {}],
    ]
    for (const [spec, input] of calls) {
      const reply = await sub.call(spec, { network_number: hidden, ...input })
      expect({ path: spec.path, ...reply }).toMatchObject({ path: spec.path, ...refusal('NETWORK_NOT_FOUND') })
    }
  })

  it('edits its network with members it sees, and no others', async () => {
    const { sub, own, a, b, shared, other, idle } = await createLimitedRole()
    const plan = { network_number: own, network_name: '我的网', center: [a.name] }
    expect(await sub.call(networkApi.edit, { ...plan, point: [b.name, idle.name] })).toMatchObject(
      refusal('ROUTER_NOT_FOUND'),
    )
    expect(
      await sub.call(networkApi.addMember, { network_number: own, router_name: other.name, member_type: 'point' }),
    ).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await sub.call(networkApi.edit, { ...plan, point: [shared.name] })).toMatchObject({ code: 200 })
    expect((await memberRows(own)).map((m) => m.routerId)).toEqual([a.id, shared.id])
    expect((await sub.call(networkApi.member, { network_number: own, member_type: 'point' })).data).toHaveLength(1)
  })

  it('deletes no member that a hidden network needs', async () => {
    const { sub, shared, b } = await createLimitedRole()
    expect(await sub.call(routerApi.delete, { router_name: shared.name })).toMatchObject(refusal('ROUTER_SHARED'))
    expect(await sub.call(routerApi.delete, { router_name: b.name })).toMatchObject({ code: 200 })
  })

  it('without a network it sees nothing', async () => {
    const { main } = await createLimitedRole()
    const sub = await createSubAccount(main, { networks: [] })
    expect(await sub.call(networkApi.lists, {})).toMatchObject({ count: 0, data: [] })
    expect(await sub.call(routerApi.lists, {})).toMatchObject({ count: 0, data: [] })
  })
})

describe('network 6 · view is always allowed, the rest by permission', () => {
  it.each([
    [networkApi.edit, { network_name: '改', center: ['x'], point: [] }, 'network:edit'],
    [networkApi.name, { network_name: '改' }, 'network:edit'],
    [networkApi.delete, {}, 'network:delete'],
    [networkApi.addMember, { router_name: 'x', member_type: 'point' }, 'network:edit'],
    [networkApi.removeMember, { router_name: 'x' }, 'network:edit'],
    [networkApi.reSendConfig, {}, 'network:edit'],
  ] as const)('$path', async (spec, input, needed) => {
    const { main, routers } = await createFleet({ hardware: 1, software: 0 })
    const network_number = await createNetwork(main, [routers[0]!])
    const without = await createSubAccount(main, { flags: PERMISSIONS.filter((flag) => flag !== needed) })
    const since = hubCalls.length
    expect(await without.call(spec, { network_number, ...input } as never)).toMatchObject(refusal('PERMISSION_DENIED'))
    expect(hubCalls.slice(since)).toEqual([])
    expect(await without.call(networkApi.member, { network_number, member_type: 'center' })).toMatchObject({
      code: 200,
    })
  })
})
