import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { BATCH_MAX } from '#contract/kernel/limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { routers } from '#db/schema/routers.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  createSubAccount,
  memberRows,
  networkRow,
  selectAudits,
} from '#tests/support/fixtures.ts'
import { db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const countRouters = (accountId: number) => db.$count(routers, eq(routers.accountId, accountId))
const removed = (...names: string[]) => names.map((router_name) => ({ router_name, deleted: 1, msg: '' }))

describe('network 7 · router/batch_delete', () => {
  it('deletes members in two round trips, with an audit row each and one notice to each hub', async () => {
    const { main, routers: all, apps } = await createFleet({ memberQuota: 20 })
    const [a, b, c, d] = all
    const number = await createNetwork(main, [a!, b!, c!, d!])
    const since = hubCalls.length
    const names = [b!.name, d!.name, apps[0]!.name]
    expect(await main.call(routerApi.batchDelete, { router_name: names })).toMatchObject({
      code: 200,
      msg: '删除成功',
      trips: 2,
      data: { deleted: 3, result: removed(...names) },
    })
    expect((await memberRows(number)).map((m) => m.routerId)).toEqual([a!.id, c!.id])
    const notified = hubCalls.slice(since).map(({ kind, method, hub }) => `${kind}.${method} ${hub}`)
    expect(notified.toSorted()).toEqual(
      [
        `router.remove ${b!.hub}`,
        `router.remove ${d!.hub}`,
        `router.refresh ${a!.hub}`, // the centre, which named both
        `network.refresh ${(await networkRow(number)).hub}`,
      ].toSorted(),
    )
    expect((await selectAudits(main.accountId)).slice(-3)).toMatchObject(
      [
        [b!.name, 1],
        [d!.name, 1],
        [apps[0]!.name, 0],
      ].map(([target, count]) => ({
        module: 'router',
        action: 'batch_delete',
        target,
        message: `删除成员“${target}”，退出${count}个组网`,
        actorName: main.username,
        before: JSON.stringify({ router_name: target, note: '', networks: count === 1 ? [number] : [] }),
        after: null,
      })),
    )
  })

  it('says of each member that stays why it does', async () => {
    const { main, routers: all } = await createFleet({ memberQuota: 20 })
    const [a, b, c] = all
    await createNetwork(main, [a!, c!], '华东')
    const stranger = await createRouter((await createMainAccount()).accountId)
    const names = [a!.name, b!.name, stranger.name, b!.name]
    const reply = await main.call(routerApi.batchDelete, { router_name: names })
    expect(reply.data).toEqual({
      deleted: 1,
      result: [
        { router_name: a!.name, deleted: 0, msg: ERRORS.ROUTER_IS_LAST_CENTER.msg.replace('{network}', '华东') },
        ...removed(b!.name),
        { router_name: stranger.name, deleted: 0, msg: ERRORS.ROUTER_NOT_FOUND.msg },
      ],
    })
  })

  it('of two centres that go together the second stays', async () => {
    const { main, routers: all } = await createFleet({ memberQuota: 20 })
    const [a, b] = all
    const number = await createNetwork(main, [a!], '华东')
    await main.call(networkApi.addMember, { network_number: number, router_name: b!.name, member_type: 'center' })
    const { data } = await main.call(routerApi.batchDelete, { router_name: [a!.name, b!.name] })
    expect(data.result.map(({ deleted }) => deleted)).toEqual([1, 0])
    expect(await memberRows(number)).toMatchObject([{ memberType: 'center', routerId: b!.id }])
  })

  it('two batches at once that share a network both end, and one centre remains', async () => {
    const { main, routers: all } = await createFleet({ memberQuota: 20 })
    const [a, b, c, d] = all
    const number = await createNetwork(main, [a!, c!, d!], '华东')
    await main.call(networkApi.addMember, { network_number: number, router_name: b!.name, member_type: 'center' })
    const replies = await Promise.all([
      main.call(routerApi.batchDelete, { router_name: [a!.name, c!.name] }),
      main.call(routerApi.batchDelete, { router_name: [b!.name, d!.name] }),
    ])
    expect(replies.map(({ code }) => code)).toEqual([200, 200])
    expect(replies.map(({ data }) => data.deleted).toSorted()).toEqual([1, 2])
    expect(await memberRows(number)).toMatchObject([{ memberType: 'center' }])
  })

  it('a limited role deletes only what lies in its networks', async () => {
    const { main, routers: all } = await createFleet({ memberQuota: 20 })
    const [a, b, c, d] = all
    const own = await createNetwork(main, [a!, b!, c!])
    const other = await createNetwork(main, [d!, c!])
    const limited = await createSubAccount(main, { flags: ['router:delete'], networks: [own] })
    const { data } = await limited.call(routerApi.batchDelete, { router_name: [b!.name, c!.name, d!.name] })
    expect(data.result.map(({ deleted, msg }) => [deleted, msg])).toEqual([
      [1, ''],
      [0, ERRORS.ROUTER_SHARED.msg],
      [0, ERRORS.ROUTER_NOT_FOUND.msg],
    ])
    expect(await memberRows(other)).toHaveLength(2)
  })

  it('is refused where nothing may go, for nothing, and for too many', async () => {
    const { main, routers: all } = await createFleet({ memberQuota: 20 })
    const [a, b] = all
    await createNetwork(main, [a!, b!], '华东')
    const before = await countRouters(main.accountId)
    const names = (...router_name: string[]) => main.call(routerApi.batchDelete, { router_name })
    expect(await names(a!.name)).toMatchObject(refusal('ROUTER_IS_LAST_CENTER', { network: '华东' }))
    expect(await names('NL-NONE')).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await names()).toMatchObject({ code: 422, msg: '请至少选择1个软件成员' })
    expect(await names(...Array.from({ length: BATCH_MAX + 1 }, (_, i) => `NL-${i}`))).toMatchObject({ code: 422 })
    expect(await countRouters(main.accountId)).toBe(before)
  })
})
