import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_RATE } from '#contract/router/limits.ts'
import { routers as routerTable } from '#db/schema/routers.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  createSubAccount,
  memberRows,
  networkRow,
  refreshed,
  selectAudits,
  toHubs,
} from '#tests/support/fixtures.ts'
import { db, hubCalls, refusal } from '#tests/support/test-worker.ts'

describe('network 2 · bulk actions on hardware', () => {
  it('router/batch_note: the same note for all that may get it, with a result for each', async () => {
    const { main, routers } = await createFleet({ memberQuota: 20 })
    const [a, b, shared] = routers
    const own = await createNetwork(main, [a!, b!, shared!])
    await createNetwork(main, [routers[3]!, shared!])
    const limited = await createSubAccount(main, { flags: ['router:edit'], networks: [own] })
    const router_name = [a!.name, 'nobody', shared!.name, b!.name.toLowerCase()]
    const since = hubCalls.length
    const reply = await limited.call(routerApi.batchNote, { router_name, note: '门店' })
    expect(reply).toMatchObject({ code: 200, msg: '成功修改2个成员，失败2个', trips: 2 })
    expect(reply.data).toEqual({
      done: 2,
      result: [
        { router_name: a!.name, ok: 1, msg: '' },
        { router_name: 'nobody', ok: 0, msg: '成员不存在或已被删除' },
        { router_name: shared!.name, ok: 0, msg: '该成员还在您无权管理的组网中，请联系主账号处理' },
        { router_name: b!.name.toLowerCase(), ok: 1, msg: '' },
      ],
    })
    const rows = await db.select().from(routerTable).where(eq(routerTable.accountId, main.accountId))
    expect(new Set(rows.filter(({ note }) => note === '门店').map(({ id }) => id))).toEqual(new Set([a!.id, b!.id]))
    expect(hubCalls.slice(since).map(({ kind, hub }) => [kind, hub])).toEqual([
      ['network', (await networkRow(own)).hub],
    ])
    const audits = (await selectAudits(main.accountId)).filter(({ action }) => action === 'batch_note')
    expect(audits.map(({ target }) => target).toSorted()).toEqual([a!.name, b!.name].toSorted())
    expect(audits.map(({ after }) => after)).toEqual(['{"note":"门店"}', '{"note":"门店"}'])
  })

  it('router/batch_resend: each device at its own rate, and software has no configuration', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { main, routers, apps } = await createFleet()
    const [a, b] = routers
    await createNetwork(main, [a!, b!, apps[0]!])
    await main.call(routerApi.resend, { router_name: b!.name })
    const since = hubCalls.length
    const router_name = [a!.name, b!.name, apps[0]!.name]
    const reply = await main.call(routerApi.batchResend, { router_name })
    expect(reply).toMatchObject({ code: 200, msg: '成功重新下发1个成员，失败2个', data: { done: 1 }, trips: 2 })
    expect(reply.data.result.map(({ msg }) => msg.slice(0, 6))).toEqual(['', '操作过于频繁', '仅硬件成员支'])
    expect(hubCalls.slice(since).map(({ hub, method }) => [hub, method])).toEqual([[a!.hub, 'resend']])
    expect(await main.call(routerApi.resend, { router_name: a!.name })).toMatchObject({ code: 429 })
    expect(await main.call(routerApi.batchResend, { router_name })).toMatchObject({ code: 429, trips: 1 })
    vi.setSystemTime(Date.now() + ROUTER_RATE.windowMs)
    expect((await main.call(routerApi.batchResend, { router_name })).data.done).toBe(2)
    expect((await selectAudits(main.accountId)).filter(({ action }) => action === 'batch_resend')).toHaveLength(3)
  })

  it('network/batch_add_member: all that fit join as points in one write', async () => {
    const { main, routers } = await createFleet()
    const [center, a, b] = routers
    const number = await createNetwork(main, [center!])
    const since = hubCalls.length
    const input = { network_number: number, router_name: [a!.name, b!.name] }
    const reply = await main.call(networkApi.batchAddMember, input)
    expect(reply).toMatchObject({ code: 200, msg: '添加成功', data: { done: 2 }, trips: 2 })
    expect((await memberRows(number)).map(({ routerId, memberType }) => [routerId, memberType])).toEqual([
      [center!.id, 'center'],
      [a!.id, 'point'],
      [b!.id, 'point'],
    ])
    expect(refreshed(since)).toEqual(toHubs(center, a, b))
    expect(await networkRow(number)).toMatchObject({ revision: 2 })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'batch_add_member',
      message: '组网“测试网”添加成员2个',
    })
  })

  it('those that may not join stay out with the reason: overlap, quota, already in', async () => {
    const main = await createMainAccount({ services: { network_member: 3 } })
    const { accountId } = main
    const center = await createRouter(accountId, { note: '总部', lans: ['10.1.0.1/24'] })
    const overlapping = await createRouter(accountId, { note: '重叠', lans: ['10.1.0.9/25'] })
    const [fits, twin, late] = await Promise.all(
      ['10.2.0.1/24', '10.2.0.2/24', '10.3.0.1/24'].map((lan) => createRouter(accountId, { lans: [lan] })),
    )
    const fourth = await createRouter(accountId)
    const number = await createNetwork(main, [center])
    const all = [center, overlapping, fits!, twin!, late!, fourth]
    const input = { network_number: number, router_name: all.map(({ name }) => name) }
    const { data } = await main.call(networkApi.batchAddMember, input)
    expect(data.result.map(({ ok, msg }) => [ok, msg.slice(0, 4)])).toEqual([
      [0, '成员“总'],
      [0, '网段冲突'],
      [1, ''],
      [0, '网段冲突'],
      [1, ''],
      [0, '最多支持'],
    ])
    expect((await memberRows(number)).map(({ routerId }) => routerId)).toEqual([center.id, fits!.id, late!.id])
    expect(await main.call(networkApi.batchAddMember, { ...input, router_name: [twin!.name] })).toMatchObject({
      reason: 'MEMBER_LIMIT_REACHED',
      trips: 1,
    })
  })

  it('network 6: routers and networks out of the role’s scope are as if they were not there', async () => {
    const { main, routers } = await createFleet({ memberQuota: 20 })
    const [center, other, hidden] = routers
    const own = await createNetwork(main, [center!])
    const foreign = await createNetwork(main, [other!, hidden!])
    const limited = await createSubAccount(main, { flags: ['network:edit', 'router:edit'], networks: [own] })
    const add = (network_number: string) =>
      limited.call(networkApi.batchAddMember, { network_number, router_name: [hidden!.name] })
    expect(await add(own)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await add(foreign)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    const note = { router_name: [hidden!.name], note: 'x' }
    expect(await limited.call(routerApi.batchNote, note)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
  })
})
