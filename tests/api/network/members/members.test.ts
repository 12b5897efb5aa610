import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import {
  createRouter,
  createMany,
  createFleet,
  createNetwork,
  selectAudits,
  toHubs,
  memberRows,
  networkRow,
  refreshed,
} from '#tests/support/fixtures.ts'
import { hubCalls, refusal } from '#tests/support/test-worker.ts'

describe('network 7 · network/edit', () => {
  it('keeps hosts and segments of remaining members, and writes the difference', async () => {
    const { main, routers, apps } = await createFleet({ centers: 1, hardware: 5 })
    const [a, b, c, d] = routers
    const number = await createNetwork(main, [a!, b!, c!])
    const before = await memberRows(number)
    const since = hubCalls.length
    const reply = await main.call(networkApi.edit, {
      network_number: number,
      network_name: '新名字',
      center: [a!.name, b!.name],
      point: [d!.name, apps[0]!.name],
      revision: 1,
    })
    expect(reply).toMatchObject({ code: 200, msg: '保存成功', data: null, trips: 2 })
    const after = new Map((await memberRows(number)).map((m) => [m.routerId, m]))
    expect(after.get(a!.id)).toEqual(before[0])
    expect(after.get(b!.id)).toEqual({ ...before[1], memberType: 'center', segmentIndex: 1 })
    expect([...after.keys()].toSorted()).toEqual([a!.id, b!.id, d!.id, apps[0]!.id].toSorted())
    expect([after.get(d!.id)?.host, after.get(apps[0]!.id)?.host]).toEqual([4, 4094]) // 4 was free again; software dials into another segment
    expect(await networkRow(number)).toMatchObject({ name: '新名字', revision: 2 })
    expect(refreshed(since)).toEqual(toHubs(a, b, c, d))
    const audit = (await selectAudits(main.accountId)).at(-1)!
    expect(JSON.parse(audit.before!)).toEqual({ network_name: '测试网', center: [], point: [c!.name, b!.name] })
    expect(JSON.parse(audit.after!)).toEqual({
      network_name: '新名字',
      center: [b!.name],
      point: [d!.name, apps[0]!.name],
    })
  })

  it('refuses a plan made from an older state, and does nothing for one that changes nothing', async () => {
    const { main, routers } = await createFleet()
    const [a, b] = routers
    const number = await createNetwork(main, [a!])
    const plan = { network_number: number, network_name: '测试网', center: [a!.name], point: [] as string[] }
    expect(await main.call(networkApi.edit, { ...plan, revision: 1 })).toMatchObject({ code: 200, trips: 1 })
    expect(await networkRow(number)).toMatchObject({ revision: 1 })
    await main.call(networkApi.addMember, { network_number: number, router_name: b!.name, member_type: 'point' })
    expect(await main.call(networkApi.edit, { ...plan, revision: 1 })).toMatchObject(refusal('NETWORK_CHANGED'))
    expect(await memberRows(number)).toHaveLength(2)
  })

  it('a call without a revision passes, and its audit row says so', async () => {
    const { main, routers } = await createFleet()
    const [a, b, c] = routers
    const number = await createNetwork(main, [a!])
    const plan = { network_number: number, network_name: '测试网', center: [a!.name] }
    await main.call(networkApi.edit, { ...plan, point: [b!.name], revision: 1 })
    expect((await selectAudits(main.accountId)).at(-1)!.message).not.toContain('未核对版本')
    expect(await main.call(networkApi.edit, { ...plan, point: [c!.name] })).toMatchObject({ code: 200 })
    expect((await selectAudits(main.accountId)).at(-1)!.message).toContain('未核对版本')
  })

  it('of ten edits of one state, one wins', async () => {
    const { main, routers } = await createFleet({ hardware: 4 })
    const number = await createNetwork(main, [routers[0]!])
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        main.call(networkApi.edit, {
          network_number: number,
          network_name: `第${i}版`,
          center: [routers[0]!.name],
          point: [routers[1 + (i % 3)]!.name],
          revision: 1,
        }),
      ),
    )
    expect(replies.filter((r) => r.code === 200)).toHaveLength(1)
    for (const reply of replies.filter((r) => r.code !== 200)) expect(reply).toMatchObject(refusal('NETWORK_CHANGED'))
    expect(await memberRows(number)).toHaveLength(2)
  })
})

describe('network 7 · network/add_member', () => {
  it('adds a member, and notifies only it and the centres', async () => {
    const { main, routers } = await createFleet()
    const [a, b, c] = routers
    const number = await createNetwork(main, [a!, b!])
    const since = hubCalls.length
    const input = { network_number: number, router_name: c!.name, member_type: 'point' as const }
    expect(await main.call(networkApi.addMember, input)).toMatchObject({ code: 200, msg: '添加成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(a, c))
    expect(await main.call(networkApi.addMember, input)).toMatchObject(refusal('MEMBER_ALREADY_IN', { name: c!.name }))
  })

  it('fifty parallel calls for a quota of ten: ten succeed, each with its own host', async () => {
    const { main } = await createFleet({ memberQuota: 11, hardware: 0 })
    const center = await createRouter(main.accountId)
    const points = await createMany(50, () => createRouter(main.accountId))
    const number = await createNetwork(main, [center])
    const replies = await Promise.all(
      points.map((p) =>
        main.call(networkApi.addMember, { network_number: number, router_name: p.name, member_type: 'point' }),
      ),
    )
    expect(replies.filter((r) => r.code === 200)).toHaveLength(10)
    for (const reply of replies.filter((r) => r.code !== 200))
      expect(reply).toMatchObject(refusal('MEMBER_LIMIT_REACHED', { limit: 11 }))
    const rows = await memberRows(number)
    expect(rows.map((m) => m.host).toSorted((x, y) => x - y)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(await networkRow(number)).toMatchObject({ revision: 11, status: 1 })
    expect(await selectAudits(main.accountId)).toHaveLength(11)
  })

  it('the same member added ten times in parallel is added once', async () => {
    const { main, routers } = await createFleet()
    const number = await createNetwork(main, [routers[0]!])
    const input = { network_number: number, router_name: routers[1]!.name, member_type: 'point' as const }
    const replies = await Promise.all(Array.from({ length: 10 }, () => main.call(networkApi.addMember, input)))
    expect(replies.filter((r) => r.code === 200)).toHaveLength(1)
    for (const reply of replies.filter((r) => r.code !== 200))
      expect(reply).toMatchObject(refusal('MEMBER_ALREADY_IN', { name: routers[1]!.name }))
  })

  it('parallel centres never exceed the quota', async () => {
    const { main, routers } = await createFleet({ hardware: 8, memberQuota: 20 })
    const number = await createNetwork(main, [routers[0]!])
    const replies = await Promise.all(
      routers
        .slice(1)
        .map((r) =>
          main.call(networkApi.addMember, { network_number: number, router_name: r.name, member_type: 'center' }),
        ),
    )
    expect(replies.filter((r) => r.code === 200)).toHaveLength(1)
    for (const reply of replies.filter((r) => r.code !== 200))
      expect(reply).toMatchObject(refusal('CENTER_LIMIT_REACHED', { limit: 2 }))
  })

  it('software can only be a point', async () => {
    const { main, routers, apps } = await createFleet()
    const number = await createNetwork(main, [routers[0]!])
    const input = { network_number: number, router_name: apps[0]!.name }
    expect(await main.call(networkApi.addMember, { ...input, member_type: 'center' })).toMatchObject(
      refusal('SOFTWARE_CENTER_FORBIDDEN'),
    )
    expect(await main.call(networkApi.addMember, { ...input, member_type: 'point' })).toMatchObject({ code: 200 })
  })
})

describe('network 7 · network/remove_member', () => {
  it('removes a member, and notifies it and the centres', async () => {
    const { main, routers } = await createFleet()
    const [a, b, c] = routers
    const number = await createNetwork(main, [a!, b!, c!])
    const since = hubCalls.length
    const input = { network_number: number, router_name: b!.name }
    expect(await main.call(networkApi.removeMember, input)).toMatchObject({ code: 200, msg: '已移出组网', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(a, b))
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'remove_member',
      target: number,
      message: `组网“测试网”移除成员“${b!.name}”`,
      before: JSON.stringify({ center: [], point: [b!.name] }),
      after: null,
    })
    expect(await networkRow(number)).toMatchObject({ revision: 2 })
    expect(await main.call(networkApi.removeMember, input)).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
    expect(await main.call(networkApi.removeMember, { ...input, router_name: a!.name })).toMatchObject(
      refusal('LAST_CENTER'),
    )
  })

  it('two centres removed in parallel: one remains', async () => {
    const { main, routers } = await createFleet()
    const [a, b] = routers
    const number = await createNetwork(main, [a!])
    await main.call(networkApi.addMember, { network_number: number, router_name: b!.name, member_type: 'center' })
    const replies = await Promise.all(
      [a!, b!].map(({ name }) => main.call(networkApi.removeMember, { network_number: number, router_name: name })),
    )
    expect(replies.map((r) => r.code).toSorted()).toEqual([200, 422])
    expect(replies.find((r) => r.code !== 200)).toMatchObject(refusal('LAST_CENTER'))
    expect(await memberRows(number)).toHaveLength(1)
  })
})
