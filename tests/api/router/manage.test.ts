import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { devices, routerStates, routers } from '#db/schema/routers.ts'
import { services } from '#db/schema/accounts.ts'
import { updateNetworkStatus } from '#features/network/sql/status.ts'
import {
  createRouter,
  createMainAccount,
  createSubAccount,
  createFleet,
  createNetwork,
  selectAudits,
  memberRows,
  networkRow,
} from '#tests/support/fixtures.ts'
import { db, hubCalls, refusal } from '#tests/support/test-worker.ts'

describe('network 7 · router/note', () => {
  it('stores the note, its history, and pushes to no device', async () => {
    const {
      main,
      routers: [a, b],
    } = await createFleet()
    const number = await createNetwork(main, [a!, b!])
    const since = hubCalls.length
    const reply = await main.call(routerApi.note, { router_name: b!.name, note: ' 上海 ' })
    expect(reply).toMatchObject({ code: 200, msg: '修改成功', trips: 2 })
    expect(hubCalls.slice(since)).toEqual([
      { kind: 'network', hub: (await networkRow(number)).hub, method: 'refresh', args: [] },
    ])
    expect((await main.call(routerApi.info, { router_name: b!.name })).data.note).toBe('上海')
    const audit = (await selectAudits(main.accountId)).at(-1)!
    expect([audit.target, audit.message, audit.before, audit.after]).toEqual([
      b!.name,
      `修改成员“${b!.name}”的备注`,
      '{"note":""}',
      '{"note":"上海"}',
    ])
  })

  it('two people with the same revision: the second is refused; a call without one passes', async () => {
    const main = await createMainAccount()
    const { name: router_name } = await createRouter(main.accountId)
    const revisionOf = async () => {
      const { data } = await main.call(routerApi.info, { router_name })
      const [row] = (await main.call(routerApi.lists, { type: 1 })).data
      expect(row?.note_revision).toBe(data.note_revision)
      return data.note_revision
    }
    expect(await revisionOf()).toBe(0)
    const edit = (note: string, revision?: number) =>
      main.call(routerApi.note, { router_name, note, ...(revision !== undefined && { revision }) })
    const answers = await Promise.all([edit('甲', 0), edit('乙', 0)])
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 422])
    expect(answers.find(({ code }) => code === 422)).toMatchObject(refusal('SETTING_CHANGED'))
    expect([await revisionOf(), (await selectAudits(main.accountId)).length]).toEqual([1, 1])
    expect(await edit('丙')).toMatchObject({ code: 200 })
    await main.call(routerApi.batchNote, { router_name: [router_name], note: '丁' })
    expect(await revisionOf()).toBe(3)
    expect(await edit('戊', 3)).toMatchObject({ code: 200 })
  })

  it('holds 24 characters', async () => {
    const main = await createMainAccount()
    const { name: router_name } = await createRouter(main.accountId)
    expect(await main.call(routerApi.note, { router_name, note: '备'.repeat(24) })).toMatchObject({ code: 200 })
    expect(await main.call(routerApi.note, { router_name, note: '备'.repeat(25) })).toMatchObject({
      code: 422,
      msg: '备注不能超过24个字符',
      data: { field: 'note' },
    })
  })
})

describe('network 7 · router/delete', () => {
  it('leaves every network, notifies its peers, and keeps the device', async () => {
    const {
      main,
      routers: [a, b, c, d],
    } = await createFleet({ memberQuota: 20 })
    const first = await createNetwork(main, [a!, b!, d!])
    const second = await createNetwork(main, [c!])
    await main.call(networkApi.addMember, { network_number: second, router_name: b!.name, member_type: 'center' })
    await main.call(networkApi.addMember, { network_number: second, router_name: d!.name, member_type: 'point' })
    const since = hubCalls.length
    const reply = await main.call(routerApi.delete, { router_name: b!.name })
    expect(reply).toMatchObject({ code: 200, msg: '删除成功', trips: 2 })
    expect((await memberRows(first)).map((m) => m.routerId)).toEqual([a!.id, d!.id])
    expect((await memberRows(second)).map((m) => m.routerId)).toEqual([c!.id, d!.id])
    const notified = hubCalls.slice(since).map(({ kind, method, hub }) => `${kind}.${method} ${hub}`)
    const hubs = await Promise.all([first, second].map(async (number) => (await networkRow(number)).hub))
    expect(notified.toSorted()).toEqual(
      [
        `router.remove ${b!.hub}`, // a point of the first network, a centre of the second
        `router.refresh ${a!.hub}`,
        `router.refresh ${d!.hub}`,
        ...hubs.map((hub) => `network.refresh ${hub}`),
      ].toSorted(),
    )
    expect(await db.select().from(routers).where(eq(routers.id, b!.id))).toEqual([])
    expect(await db.select().from(routerStates).where(eq(routerStates.routerId, b!.id))).toEqual([])
    expect(await db.select().from(devices).where(eq(devices.serial, b!.name))).toHaveLength(1)
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      module: 'router',
      action: 'delete',
      target: b!.name,
      message: `删除成员“${b!.name}”，退出2个组网`,
      before: JSON.stringify({ router_name: b!.name, note: '', networks: [second, first] }),
      after: null,
    })
    expect(await main.call(routerApi.delete, { router_name: b!.name })).toMatchObject(refusal('ROUTER_NOT_FOUND'))
  })

  it('is refused for the only centre of a network, by the network’s name', async () => {
    const {
      main,
      routers: [a, b],
    } = await createFleet()
    const number = await createNetwork(main, [a!, b!], '华东')
    expect(await main.call(routerApi.delete, { router_name: a!.name })).toMatchObject(
      refusal('ROUTER_IS_LAST_CENTER', { network: '华东' }),
    )
    expect(await memberRows(number)).toHaveLength(2)
    await main.call(networkApi.delete, { network_number: number })
    expect(await main.call(routerApi.delete, { router_name: a!.name })).toMatchObject({ code: 200 })
  })

  it('names that network whatever its name holds', async () => {
    const {
      main,
      routers: [a],
    } = await createFleet()
    const name = `'a''b' "c" \\ !{}! 网`
    await createNetwork(main, [a!], name)
    expect(await main.call(routerApi.delete, { router_name: a!.name })).toMatchObject(
      refusal('ROUTER_IS_LAST_CENTER', { network: name }),
    )
  })

  it('both centres deleted in parallel: one remains', async () => {
    const {
      main,
      routers: [a, b],
    } = await createFleet()
    const number = await createNetwork(main, [a!], '华东')
    await main.call(networkApi.addMember, { network_number: number, router_name: b!.name, member_type: 'center' })
    const replies = await Promise.all([a!, b!].map(({ name }) => main.call(routerApi.delete, { router_name: name })))
    expect(replies.map((r) => r.code).toSorted()).toEqual([200, 422])
    expect(await memberRows(number)).toMatchObject([{ memberType: 'center' }])
  })

  it('brings a network over quota back', async () => {
    const {
      main,
      routers: [a, b],
    } = await createFleet({ memberQuota: 2 })
    const number = await createNetwork(main, [a!, b!])
    await db.update(services).set({ quantity: 1 }).where(eq(services.accountId, main.accountId))
    await updateNetworkStatus(db, main.accountId, Date.now())
    expect(await networkRow(number)).toMatchObject({ status: 0 })
    await main.call(routerApi.delete, { router_name: b!.name })
    expect(await networkRow(number)).toMatchObject({ status: 1 })
  })

  it('a software member has no hub to remove', async () => {
    const {
      main,
      routers: [a],
      apps: [app],
    } = await createFleet()
    await createNetwork(main, [a!, app!])
    const since = hubCalls.length
    expect(await main.call(routerApi.delete, { router_name: app!.name })).toMatchObject({ code: 200 })
    expect(hubCalls.slice(since).filter((call) => call.kind === 'router')).toEqual([
      { kind: 'router', hub: a!.hub, method: 'refresh', args: [] },
    ])
  })
})

describe('design 8 · router/resend', () => {
  const resent = (since: number) => hubCalls.slice(since).filter((call) => call.method === 'resend')

  it('calls the hub of the member once, and writes an audit row', async () => {
    const {
      main,
      routers: [a, b],
    } = await createFleet()
    await createNetwork(main, [a!, b!])
    const since = hubCalls.length
    const reply = await main.call(routerApi.resend, { router_name: b!.name.toLowerCase() })
    expect(reply).toMatchObject({ code: 200, msg: '已重新下发', trips: 2 })
    expect(resent(since)).toEqual([{ kind: 'router', hub: b!.hub, method: 'resend', args: [] }])
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      module: 'router',
      action: 'resend',
      target: b!.name,
      message: `重新下发成员“${b!.name}”的配置`,
      before: null,
      after: null,
    })
  })

  it('is for hardware, and for a member of a network that is not suspended', async () => {
    const {
      main,
      routers: [a, b, c],
      apps: [app],
    } = await createFleet({ memberQuota: 3 })
    await createNetwork(main, [a!, b!], '先建')
    await createNetwork(main, [c!], '后建')
    const since = hubCalls.length
    const resend = ({ name }: { name: string }) => main.call(routerApi.resend, { router_name: name })
    expect(await resend(app!)).toMatchObject(refusal('HARDWARE_ONLY'))
    expect(await resend({ name: 'nobody' })).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    await db.update(services).set({ quantity: 2 }).where(eq(services.accountId, main.accountId))
    await updateNetworkStatus(db, main.accountId, Date.now())
    expect(await resend(c!)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(resent(since)).toEqual([])
    expect(await resend(a!)).toMatchObject({ code: 200 })
  })
})

it.each([
  [routerApi.note, { note: 'x' }, 'router:edit'],
  [routerApi.resend, {}, 'router:edit'],
  [routerApi.updateStatus, {}, 'router:edit'],
  [routerApi.delete, {}, 'router:delete'],
] as const)('$path is for those who may', async (spec, input, needed) => {
  const main = await createMainAccount()
  const { name: router_name } = await createRouter(main.accountId)
  const others = (['router:create', 'router:edit', 'router:delete', 'network:edit'] as const).filter(
    (f) => f !== needed,
  )
  const sub = await createSubAccount(main, { flags: others })
  expect(await sub.call(spec, { router_name, ...input } as never)).toMatchObject(refusal('PERMISSION_DENIED'))
})
