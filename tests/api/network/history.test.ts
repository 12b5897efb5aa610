import { desc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { createNetwork } from '#tests/support/fixtures.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'
import { createHistoryNetwork, versionsOf } from './history-network.ts'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { networkVersions } from '#db/schema/networks.ts'

describe('network 6 · network/versions', () => {
  it('says who changed what, old and new, newest first', async () => {
    const made = await createHistoryNetwork()
    const { main, target, c } = made
    expect(await main.call(networkApi.versions, target)).toMatchObject({ code: 200, trips: 1, data: [], revision: 1 })
    const set = await main.call(networkApi.dns, { ...target, dns: ['10.0.0.53'] })
    expect(set).toMatchObject({ code: 200, trips: 2 })
    await main.call(networkApi.quagga, { ...target, router_name: c.name, enable: 1 })
    await main.call(networkApi.name, { ...target, network_name: '新名' })
    expect(await versionsOf(made)).toMatchObject([
      { version: 4, actor: main.username, changes: [{ title: '组网名称', old: '测试网', new: '新名' }] },
      { version: 3, changes: [{ title: `${c.name} · 动态路由`, old: '关闭', new: '开启' }] },
      { version: 2, changes: [{ title: 'DNS', old: '未设置', new: '10.0.0.53' }] },
      { version: 1, actor: '', changes: [] },
    ])
  })

  it('holds the changes of members, too, and what they end', async () => {
    const made = await createHistoryNetwork()
    const { main, target, a, b, c, spare } = made
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    await main.call(networkApi.addMember, { ...target, router_name: spare.name, member_type: 'point' })
    await main.call(networkApi.edit, {
      ...target,
      network_name: '新名',
      center: [a.name],
      point: [c.name, spare.name],
      confirm: 1,
    })
    const [edited, added] = await versionsOf(made)
    expect(added?.changes).toEqual([{ title: '成员', old: '3 个', new: `4 个：新增 ${spare.name}` }])
    expect(edited?.changes).toEqual([
      { title: '组网名称', old: '测试网', new: '新名' },
      { title: '成员', old: '4 个', new: `3 个：移除 ${b.name}` },
      { title: '路由方式', old: `主备路由，主 ${a.name}，备 ${b.name}`, new: '双主负载均衡' },
    ])
  })

  it('holds the deletion of a member in each of its networks: who, when, and what it ended', async () => {
    const made = await createHistoryNetwork()
    const { main, target, a, b, c, spare } = made
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    const second = await createNetwork(main, [spare, b], '二网')
    const reply = await main.call(routerApi.delete, { router_name: b.name, confirm: 1 })
    expect(reply).toMatchObject({ code: 200, trips: 2 })
    const [deleted] = await versionsOf(made)
    expect(deleted).toMatchObject({ version: 3, actor: main.username })
    expect(deleted?.changes).toEqual([
      { title: '成员', old: '3 个', new: `2 个：移除 ${b.name}` },
      { title: '路由方式', old: `主备路由，主 ${a.name}，备 ${b.name}`, new: '双主负载均衡' },
    ])
    const other = { main, target: { network_number: second } }
    expect((await versionsOf(other))[0]?.changes).toEqual([{ title: '成员', old: '2 个', new: `1 个：移除 ${b.name}` }])
    // The version before can no longer be had, and says why.
    const restored = await main.call(networkApi.restore, { ...target, version: 2 })
    expect(restored).toMatchObject({ code: refusal('VERSION_LOST').code, reason: 'VERSION_LOST' })
    await main.call(networkApi.quagga, { ...target, router_name: c.name, enable: 1 })
    expect((await versionsOf(made))[0]?.changes).toMatchObject([{ title: `${c.name} · 动态路由` }])
  })

  it('one version a network of many that are deleted together; of a disabled member only what it ended', async () => {
    const made = await createHistoryNetwork()
    const { main, target, a, b, c } = made
    await main.call(routerApi.updateStatus, { router_name: c.name, status: 0 })
    expect(await versionsOf(made)).toEqual([])
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    await main.call(routerApi.updateStatus, { router_name: b.name, status: 0, confirm: 1 })
    expect((await versionsOf(made))[0]).toMatchObject({
      actor: main.username,
      changes: [{ title: '路由方式', old: `主备路由，主 ${a.name}，备 ${b.name}`, new: '双主负载均衡' }],
    })
    await main.call(routerApi.batchDelete, { router_name: [b.name, c.name] })
    const versions = await versionsOf(made)
    expect(versions.map(({ version }) => version)).toEqual([4, 3, 2, 1])
    expect(versions[0]?.changes).toMatchObject([{ title: '成员', old: '3 个' }])
    // The disabling ended the routing, and the deletion of its members makes the restore impossible.
    expect(await main.call(networkApi.restore, { ...target, version: 2 })).toMatchObject({ reason: 'VERSION_LOST' })
  })

  it('settings that the disabling of a member ended can be restored', async () => {
    const { main, target, a, b } = await createHistoryNetwork()
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    await main.call(routerApi.updateStatus, { router_name: b.name, status: 0, confirm: 1 })
    const restored = await main.call(networkApi.restore, { ...target, version: 2 })
    expect(restored).toMatchObject({ code: 200, data: { skipped: [] } })
    expect(await main.call(networkApi.routing, target)).toMatchObject({ data: { type: 2, secondary_router: b.name } })
  })

  it('a member that an operator disables is the operator’s change', async () => {
    const made = await createHistoryNetwork()
    const { main, target, a, b } = made
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    const disabled = { account: main.username, name: b.name, confirm: 1 as const }
    expect(await call(opsApi.disableMember, disabled)).toMatchObject({ code: 200 })
    const [version] = await db
      .select()
      .from(networkVersions)
      .where(eq(networkVersions.accountId, main.accountId))
      .orderBy(desc(networkVersions.version))
    expect(version).toMatchObject({ version: 3, actorKind: 'operator' })
  })

  it('keeps the last twenty', async () => {
    const made = await createHistoryNetwork()
    for (let i = 0; i < 22; i++) await made.main.call(networkApi.name, { ...made.target, network_name: `名称${i}` })
    const versions = await versionsOf(made)
    expect(versions).toHaveLength(NETWORK.versionsKept)
    expect([versions[0]?.version, versions.at(-1)?.version]).toEqual([23, 4])
    const gone = { ...made.target, version: 3 }
    expect(await made.main.call(networkApi.restore, gone)).toMatchObject(refusal('VERSION_NOT_FOUND'))
  })

  it('a call that changes nothing, or is refused, makes none', async () => {
    const made = await createHistoryNetwork()
    await made.main.call(networkApi.name, { ...made.target, network_name: '测试网' })
    await made.main.call(networkApi.dns, { ...made.target, dns: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })
    expect(await versionsOf(made)).toEqual([])
    expect(await db.select().from(networkVersions).where(eq(networkVersions.accountId, made.main.accountId))).toEqual(
      [],
    )
  })
})
