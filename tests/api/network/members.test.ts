import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { NETWORK } from '../../../worker/contract/limits.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import type { OutboxContext } from '../../../worker/db/hub-outbox.ts'
import { services } from '../../../worker/db/schema/accounts.ts'
import { hubOutbox } from '../../../worker/db/schema/hub-outbox.ts'
import { updateNetworkStatus, updateNetworkStatusSince } from '../../../worker/db/network-status.ts'
import { withdrawNetworks } from '../../../worker/jobs/expiry.ts'
import {
  createRouter,
  createMany,
  createService,
  createFleet,
  createNetwork,
  selectAudits,
  toHubs,
  memberRows,
  networkRow,
  refreshed,
} from '../../support/fixtures.ts'
import { db, hubCalls, refusal } from '../../support/test-worker.ts'

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

describe('network 2 · a network over quota', () => {
  async function suspended() {
    const fleet = await createFleet({ memberQuota: 4 })
    const { main, routers } = fleet
    const first = await createNetwork(main, routers.slice(0, 2), '先建')
    const second = await createNetwork(main, routers.slice(2, 4), '后建')
    await db.update(services).set({ quantity: 3 }).where(eq(services.accountId, main.accountId))
    await updateNetworkStatus(db, main.accountId, Date.now())
    return { ...fleet, first, second }
  }

  it('the newest is suspended first; removing members restores it', async () => {
    const { main, routers, first, second } = await suspended()
    expect([(await networkRow(first)).status, (await networkRow(second)).status]).toEqual([1, 0])
    const target = { network_number: second }
    const add = { ...target, router_name: routers[0]!.name, member_type: 'point' as const }
    expect(await main.call(networkApi.addMember, add)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    const plan = { ...target, network_name: '后建', center: [routers[2]!.name], point: [routers[1]!.name] }
    expect(await main.call(networkApi.edit, plan)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await main.call(networkApi.reSendConfig, target)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await main.call(networkApi.edit, { ...plan, point: [] })).toMatchObject({ code: 200 })
    expect(await networkRow(second)).toMatchObject({ status: 1 })
  })

  it('stops the one that does not fit and goes on: a younger one that fits keeps working', async () => {
    const { main, routers } = await createFleet({ memberQuota: 6, hardware: 6 })
    const [old, large, small] = [
      await createNetwork(main, routers.slice(0, 1), '老网'),
      await createNetwork(main, routers.slice(1, 5), '大网'),
      await createNetwork(main, routers.slice(5, 6), '小网'),
    ]
    await db.update(services).set({ quantity: 2 }).where(eq(services.accountId, main.accountId))
    await updateNetworkStatusSince(db, 0, Date.now())
    const statuses = async () =>
      Promise.all([old, large, small].map(async (number) => (await networkRow(number)).status))
    expect(await statuses()).toEqual([1, 0, 1])
    await db.update(services).set({ quantity: 5 }).where(eq(services.accountId, main.accountId))
    await updateNetworkStatus(db, main.accountId, Date.now())
    expect(await statuses()).toEqual([1, 1, 0])
  })

  it('a member that leaves an older network frees the newer one', async () => {
    const { main, routers, first, second } = await suspended()
    await main.call(networkApi.removeMember, { network_number: first, router_name: routers[1]!.name })
    expect(await networkRow(second)).toMatchObject({ status: 1 })
  })

  it('can be deleted, and may be renamed', async () => {
    const { main, second } = await suspended()
    expect(await main.call(networkApi.name, { network_number: second, network_name: '改名' })).toMatchObject({
      code: 200,
    })
    expect(await main.call(networkApi.delete, { network_number: second })).toMatchObject({ code: 200 })
  })

  it('tells since when, and is withdrawn from all documents once, fifteen days later; a renewal brings it back', async () => {
    const { main, routers, first, second } = await suspended()
    const row = await networkRow(second)
    const info = async (network_number: string) => (await main.call(networkApi.info, { network_number })).data
    expect((await info(second)).suspended_time).toBe(row.suspendedAt)
    expect((await info(first)).suspended_time).toBeNull()
    const endsAt = row.suspendedAt! + NETWORK.suspensionDays * 86_400_000
    /** Hubs of this account that one run refreshes. */
    const run = async (now: number) => {
      const ctx: OutboxContext = { db, now, hubOutbox: [] }
      await withdrawNetworks(ctx)
      const own = [row.hub, (await networkRow(first)).hub, ...routers.map(({ hub }) => hub)]
      return ctx.hubOutbox
        .map(({ hub }) => hub)
        .filter((hub) => own.includes(hub))
        .toSorted()
    }
    const hubs = [row.hub, routers[2]!.hub, routers[3]!.hub].toSorted()
    expect(await run(endsAt - 1)).toEqual([])
    expect(await run(endsAt)).toEqual(hubs)
    expect(await networkRow(second)).toMatchObject({ withdrawn: 1, revision: row.revision + 1 })
    const stored = await db.select({ hub: hubOutbox.hub }).from(hubOutbox).where(inArray(hubOutbox.hub, hubs))
    expect(stored.map(({ hub }) => hub)).toEqual(expect.arrayContaining(hubs))
    expect(await run(endsAt + 60_000)).toEqual([])
    await createService(main.accountId, 'network_member', 4)
    await updateNetworkStatus(db, main.accountId, Date.now())
    expect((await info(second)).suspended_time).toBeNull()
    expect(await run(endsAt + 120_000)).toEqual(hubs)
    expect(await networkRow(second)).toMatchObject({ withdrawn: 0, suspendedAt: null })
    expect(await run(endsAt + 180_000)).toEqual([])
  })

  it('that is suspended again counts from then', async () => {
    const { main, second } = await suspended()
    const before = (await networkRow(second)).suspendedAt!
    const set = (quantity: number) =>
      db.update(services).set({ quantity }).where(eq(services.accountId, main.accountId))
    await set(4)
    await updateNetworkStatus(db, main.accountId, before + 1_000)
    await set(3)
    await updateNetworkStatus(db, main.accountId, before + 2_000)
    await updateNetworkStatus(db, main.accountId, before + 3_000)
    expect((await networkRow(second)).suspendedAt).toBe(before + 2_000)
  })

  it('the cron applies services that end or begin, for all accounts at once', async () => {
    const { main, routers } = await createFleet({ memberQuota: 2 })
    const other = await createFleet({ memberQuota: 2 })
    const number = await createNetwork(main, routers.slice(0, 2))
    const untouched = await createNetwork(other.main, other.routers.slice(0, 2))
    await db
      .update(services)
      .set({ expireAt: Date.now() - 1 })
      .where(eq(services.accountId, main.accountId))
    await updateNetworkStatusSince(db, 0, Date.now())
    expect([(await networkRow(number)).status, (await networkRow(untouched)).status]).toEqual([0, 1])
    await createService(main.accountId, 'network_member', 2)
    await updateNetworkStatusSince(db, 0, Date.now())
    expect((await networkRow(number)).status).toBe(1)
  })
})
