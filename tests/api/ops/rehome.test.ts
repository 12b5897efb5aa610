import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import type { StoragePage } from '#contract/router/transfer.ts'
import { routers } from '#db/schema/routers.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import {
  type Caller,
  createMainAccount,
  createMany,
  createNetwork,
  createRouter,
  networkRow,
  selectAudits,
} from '#tests/support/fixtures.ts'
import { insertRouter, unique } from '#tests/support/rows.ts'
import { call, createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

type Router = Awaited<ReturnType<typeof createRouter>>

let main: Caller
let router: Router
beforeEach(async () => {
  main = await createMainAccount({ services: { network_member: 10 } })
  router = await createRouter(main.accountId)
  hubCalls.length = 0
})

const selectRow = async ({ id }: Pick<Router, 'id'>) => (await db.select().from(routers).where(eq(routers.id, id)))[0]!

/** An old hub of two pages. */
const PAGES: readonly StoragePage[] = [
  { values: [['router', null]], tables: [], rows: [{ table: 'hours', row: { hour: 1 } }], next: 't:2' },
  { values: [], tables: [], rows: [{ table: 'days', row: { day: 1 } }], next: null },
]
const readPage = (_hub: string, cursor: string | null) => PAGES[cursor === null ? 0 : 1]

describe('design 8 · ops · rehome', () => {
  it('copies page by page into a new hub, names it, and tells all hubs through the outbox', async () => {
    const peer = await createRouter(main.accountId)
    const number = await createNetwork(main, [router, peer])
    const { hub: networkHub } = await networkRow(number)
    const { hubs, calls } = fakeHubs({ 'router.exportStorage': readPage })
    const { call: ask } = createTestWorker({ hubs: () => hubs })
    const answer = await ask(opsApi.rehome, { router: router.name, place: 'apac' })
    expect(answer).toMatchObject({ code: 200, data: { copied: 3 } })
    const row = await selectRow(router)
    expect(row).toMatchObject({ hub: expect.stringMatching(/^apac\.[0-9a-f]{32}$/), movedFrom: router.hub })
    expect(row.uid).toBe(router.hub)
    expect(calls.map(({ kind, hub, method }) => [kind, hub, method])).toEqual([
      ['router', router.hub, 'exportStorage'],
      ['router', row.hub, 'importStorage'],
      ['router', router.hub, 'exportStorage'],
      ['router', row.hub, 'importStorage'],
      ['router', row.hub, 'refresh'],
      ['router', router.hub, 'refresh'],
      ['network', networkHub, 'refresh'],
      ['account', main.hub, 'refresh'],
    ])
    expect(await db.select().from(hubOutbox)).toEqual([])
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      actorKind: 'operator',
      module: 'ops',
      action: 'router/rehome',
      target: router.name,
      message: '运营迁移设备的实时服务',
      before: '{"place":"default"}',
      after: '{"place":"apac","copied":3}',
    })
  })

  it('refuses an unknown router, a software member, a place that is none, and the same place', async () => {
    const ask = (input: { router: string; place: string }) => call(opsApi.rehome, input as never)
    expect(await ask({ router: 'NL-NONE', place: 'apac' })).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    const name = `li.na@${unique('q')}`
    await insertRouter({ accountId: main.accountId, name, routerType: 2, password: '' })
    expect(await ask({ router: name, place: 'apac' })).toMatchObject(refusal('HARDWARE_ONLY'))
    expect(await ask({ router: router.name, place: 'mars' })).toMatchObject({ code: 422, data: { field: 'place' } })
    expect(await ask({ router: router.name, place: 'default' })).toMatchObject({
      code: 422,
      reason: 'REHOME_SAME_PLACE',
      msg: '该设备的实时服务已在default，请选择其他区域',
      data: { field: 'place' },
    })
    expect(hubCalls).toEqual([])
    expect((await selectRow(router)).hub).toBe(router.hub)
  })

  it('names what is lost where the old hub does not answer, and loses it only with --confirm', async () => {
    const { hubs, calls } = fakeHubs({ 'router.exportStorage': noAnswer })
    const { call: ask } = createTestWorker({ hubs: () => hubs })
    const refused = await ask(opsApi.rehome, { router: router.name, place: 'apac' })
    expect(refused).toMatchObject(refusal('REHOME_LOSES'))
    expect(refused.msg).toContain('最近180天的流量')
    expect((await selectRow(router)).hub).toBe(router.hub)
    const answer = await ask(opsApi.rehome, { router: router.name, place: 'apac', confirm: 1 })
    expect(answer).toMatchObject({ code: 200, data: { copied: null } })
    const { hub, movedFrom } = await selectRow(router)
    expect([hub.startsWith('apac.'), movedFrom]).toEqual([true, router.hub])
    expect(calls.some(({ method }) => method === 'importStorage')).toBe(false)
    expect((await selectAudits(main.accountId)).at(-1)?.message).toBe('运营迁移设备的实时服务，历史流量未保留')
  })

  it('changes nothing where the new hub does not answer, and lets the device in again', async () => {
    const { hubs, calls } = fakeHubs({ 'router.importStorage': noAnswer })
    const { call: ask } = createTestWorker({ hubs: () => hubs })
    const answer = await ask(opsApi.rehome, { router: router.name, place: 'apac', confirm: 1 })
    expect(answer).toMatchObject(refusal('ROUTER_UNREADABLE'))
    expect((await selectRow(router)).hub).toBe(router.hub)
    expect(calls.at(-1)).toMatchObject({ hub: router.hub, method: 'endTransfer' })
  })

  it('may be made twice at the same time: one of them wins, and the other lets the device in again', async () => {
    const answers = await createMany(2, () => call(opsApi.rehome, { router: router.name, place: 'apac' }))
    const both = await Promise.all([
      call(opsApi.rehome, { router: router.name, place: 'weur' }),
      call(opsApi.rehome, { router: router.name, place: 'enam' }),
    ])
    expect(answers.map(({ code }) => code)).toEqual([200, 422])
    expect(both.filter(({ code }) => code === 200).length).toBeGreaterThanOrEqual(1)
    for (const answer of both.filter(({ code }) => code !== 200))
      expect(answer).toMatchObject(refusal('NETWORK_CHANGED'))
  })
})
