import { describe, expect, it } from 'vitest'
import { networks } from '#db/schema/networks.ts'
import {
  createRouter,
  createMany,
  createSubAccount,
  createFleet,
  createNetwork,
  selectAudits,
  unique,
  memberRows,
  networkRow,
} from '#tests/support/fixtures.ts'
import { db, hubCalls, refusal } from '#tests/support/test-worker.ts'
import { eq } from 'drizzle-orm'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK } from '#contract/network/limits.ts'

const plan = (
  center: readonly { name: string }[],
  point: readonly { name: string }[] = [],
  network_name = '总部网',
) => ({
  network_name,
  center: center.map((r) => r.name),
  point: point.map((r) => r.name),
})

describe('network 7 · network/create', () => {
  it('stores network, members, hosts, segments, audit row and outbox entries in one batch', async () => {
    const { main, routers, apps } = await createFleet({ centers: 0 })
    const [a, b, c] = routers
    const reply = await main.call(networkApi.create, plan([a!, b!], [c!, apps[0]!]))
    expect(reply).toMatchObject({ code: 200, msg: '保存成功', trips: 2 })
    const { network_number } = reply.data
    expect(network_number).toMatch(/^\d{10}$/)
    const row = await networkRow(network_number)
    expect(row).toMatchObject({ name: '总部网', status: 1, networkType: 1, revision: 1, accountId: main.accountId })
    expect(row.secret).toMatch(/^[0-9a-f]{64}$/)
    expect((await memberRows(network_number)).map((m) => [m.routerId, m.memberType, m.segmentIndex, m.host])).toEqual([
      [a!.id, 'center', 0, 2],
      [b!.id, 'center', 1, 3],
      [c!.id, 'point', null, 4],
      [apps[0]!.id, 'point', null, 4094],
    ])
    expect(await selectAudits(main.accountId)).toMatchObject([
      { module: 'network', action: 'create', target: network_number, actorKind: 'main', actorName: main.username },
    ])
    const notified = hubCalls
      .filter((call) => call.kind === 'router' && call.method === 'refresh')
      .map((call) => call.hub)
    expect(notified).toEqual(expect.arrayContaining([a!.hub, b!.hub, c!.hub]))
    expect(notified).not.toContain(apps[0]!.hub) // a software member has no document
    expect(hubCalls).toContainEqual({ kind: 'network', hub: row.hub, method: 'refresh', args: [] })
  })

  it.each([
    ['name', { network_name: '  ', center: [], point: [] }, '请输入网络名称', 'network_name'],
    ['length', { network_name: '网'.repeat(25), center: [], point: [] }, '网络名称不能超过24个字符', 'network_name'],
  ])('refuses a bad %s', async (_, input, msg, field) => {
    const { main } = await createFleet({ hardware: 0, software: 0 })
    expect(await main.call(networkApi.create, input)).toMatchObject({ code: 422, msg, data: { field } })
  })

  it('refuses each broken rule with its catalogue message, and stores nothing', async () => {
    const { main, routers, apps } = await createFleet({ memberQuota: 3 })
    const foreign = await createFleet()
    const [a, b, c, d] = routers
    const create = (...args: Parameters<typeof plan>) => main.call(networkApi.create, plan(...args))
    expect(await create([])).toMatchObject(refusal('NETWORK_MEMBERS_REQUIRED'))
    expect(await create([], [a!])).toMatchObject(refusal('NETWORK_CENTER_REQUIRED'))
    expect(await create([apps[0]!])).toMatchObject(refusal('SOFTWARE_CENTER_FORBIDDEN'))
    expect(await create([a!, b!, c!])).toMatchObject(refusal('CENTER_LIMIT_REACHED', { limit: 2 }))
    expect(await create([a!], [b!, c!, d!])).toMatchObject(refusal('MEMBER_LIMIT_REACHED', { limit: 3 }))
    expect(await create([a!], [a!])).toMatchObject(refusal('MEMBER_TWICE', { name: a!.name }))
    expect(await create([a!], [{ name: 'nobody' }])).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await create([foreign.routers[0]!])).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await db.select().from(networks).where(eq(networks.accountId, main.accountId))).toEqual([])
    expect(await selectAudits(main.accountId)).toEqual([])
  })

  it('names both owners of conflicting segments, and keeps a new centre’s segments off the LANs', async () => {
    const { main } = await createFleet({ hardware: 0 })
    const lan = (note: string, ...lans: string[]) => createRouter(main.accountId, { note, lans })
    const [head, shanghai, same] = [
      await lan('总部', '100.64.4.1/24'),
      await lan('上海', '10.1.0.1/16'),
      await lan('', '10.1.8.1/24'),
    ]
    expect(await main.call(networkApi.create, plan([head], [shanghai, same]))).toMatchObject(
      refusal('SEGMENT_CONFLICT', { a: '上海', segment_a: '10.1.0.0/16', b: same.name, segment_b: '10.1.8.0/24' }),
    )
    const number = await createNetwork(main, [head, shanghai])
    expect((await memberRows(number))[0]).toMatchObject({ memberType: 'center', segmentIndex: 1 })
    const [other, inside] = [await lan('另一'), await lan('冲突', '100.64.32.8/29')]
    await createNetwork(main, [other])
    expect(
      await main.call(networkApi.addMember, { network_number: number, router_name: inside.name, member_type: 'point' }),
    ).toMatchObject(
      refusal('SEGMENT_CONFLICT', { a: '总部', segment_a: '100.64.32.0/20', b: '冲突', segment_b: '100.64.32.8/29' }),
    )
  })

  it('a member name that looks like a guard mark does not change the refusal', async () => {
    const { main } = await createFleet({ hardware: 0 })
    const note = '!SESSION_REVOKED{}!'
    const [a, b] = [
      await createRouter(main.accountId, { note, lans: ['10.1.0.1/16'] }),
      await createRouter(main.accountId, { note, lans: ['10.1.8.1/24'] }),
    ]
    expect(await main.call(networkApi.create, plan([a], [b]))).toMatchObject(
      refusal('SEGMENT_CONFLICT', { a: note, segment_a: '10.1.0.0/16', b: note, segment_b: '10.1.8.0/24' }),
    )
  })

  it('a member cannot exceed its limit of networks', async () => {
    const { main, routers } = await createFleet({ memberQuota: 100 })
    const [shared, ...centers] = routers
    for (let i = 0; i < NETWORK.perRouter; i++)
      await createNetwork(main, [centers[i % 3]!, shared!].slice(i < 6 ? 0 : 1))
    const full = refusal('MEMBER_NETWORKS_FULL', { name: shared!.name, limit: NETWORK.perRouter })
    expect(await main.call(networkApi.create, plan([shared!]))).toMatchObject(full)
  })

  it('twenty parallel calls give no quota, segment or host twice', async () => {
    const { main } = await createFleet({ memberQuota: 12, hardware: 0 })
    const routers = await createMany(20, () => createRouter(main.accountId))
    const replies = await Promise.all(routers.map((r) => main.call(networkApi.create, plan([r]))))
    expect(replies.filter((r) => r.code === 200)).toHaveLength(12)
    for (const reply of replies.filter((r) => r.code !== 200))
      expect(reply).toMatchObject(refusal('MEMBER_LIMIT_REACHED', { limit: 12 }))
    const rows = await db.select().from(networks).where(eq(networks.accountId, main.accountId))
    expect(rows).toHaveLength(12)
    const segments = (await Promise.all(rows.map(({ number }) => memberRows(number)))).flat().map((m) => m.segmentIndex)
    expect(segments.toSorted((x, y) => x! - y!)).toEqual([...Array(12).keys()])
    expect(await selectAudits(main.accountId)).toHaveLength(12)
  })

  it('requires the permission, and is refused to a role limited to networks', async () => {
    const { main, routers } = await createFleet()
    const number = await createNetwork(main, [routers[0]!, routers[1]!])
    const none = await createSubAccount(main)
    const limited = await createSubAccount(main, { flags: ['network:create', 'network:edit'], networks: [number] })
    const maker = await createSubAccount(main, { flags: ['network:create'] })
    const input = plan([routers[1]!])
    expect(await none.call(networkApi.create, input)).toMatchObject(refusal('PERMISSION_DENIED'))
    expect(await limited.call(networkApi.create, input)).toMatchObject(refusal('PERMISSION_DENIED'))
    expect(await maker.call(networkApi.create, input)).toMatchObject({ code: 200 })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({ actorKind: 'ram', actorId: maker.ramId })
  })
})

describe('design 5 · network/create with an idempotency key', () => {
  const key = () => `${unique('k')}${unique('k')}`

  it('called again answers with the network that it made, in one round trip', async () => {
    const { main, routers } = await createFleet()
    const input = { network_name: '华东', center: [routers[0]!.name], point: [], idempotency_key: key() }
    const first = await main.call(networkApi.create, input)
    expect(first).toMatchObject({ code: 200, trips: 2 })
    const again = await main.call(networkApi.create, input)
    expect(again).toMatchObject({ code: 200, msg: '保存成功', data: first.data, trips: 1 })
    expect(await main.call(networkApi.lists, {})).toMatchObject({ count: 1 })
    expect(await selectAudits(main.accountId)).toHaveLength(1)
  })

  it('called eight times at once makes one', async () => {
    const { main, routers } = await createFleet()
    const input = { network_name: '华东', center: [routers[0]!.name], point: [], idempotency_key: key() }
    const replies = await Promise.all(Array.from({ length: 8 }, () => main.call(networkApi.create, input)))
    expect(new Set(replies.map(({ code, data }) => `${code} ${data.network_number}`)).size).toBe(1)
    expect(await main.call(networkApi.lists, {})).toMatchObject({ count: 1 })
  })

  it('with other content, by another account, or without a key makes another', async () => {
    const [mine, other] = [await createFleet(), await createFleet()]
    const idempotency_key = key()
    const plan = ({ routers }: typeof mine) => ({ network_name: '华东', center: [routers[0]!.name], point: [] })
    const replies = [
      await mine.main.call(networkApi.create, { ...plan(mine), idempotency_key }),
      await mine.main.call(networkApi.create, { ...plan(mine), network_name: '华南', idempotency_key }),
      await mine.main.call(networkApi.create, plan(mine)),
      await mine.main.call(networkApi.create, plan(mine)),
      await other.main.call(networkApi.create, { ...plan(other), idempotency_key }),
    ]
    expect(replies.map(({ code }) => code)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(replies.map(({ data }) => data.network_number)).size).toBe(5)
  })
})
