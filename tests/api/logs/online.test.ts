import { describe, expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { routers as routerTable } from '#db/schema/routers.ts'
import { logsApi } from '#contract/logs/index.ts'
import { dialLogs } from '#db/schema/clients.ts'
import { createFleet, createMainAccount, createNetwork, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

const DAY_MS = 86_400_000
const FROM = Date.parse('2026-03-10T00:00:00+08:00')
const TO = FROM + DAY_MS - 1
const RANGE = { start_time: '2026-03-10', end_time: '2026-03-10' }

async function createDials(accountId: number, rows: readonly Partial<typeof dialLogs.$inferInsert>[]) {
  const row = { accountId, mode: 'p2p' as const, networkNumber: 'N1', linkRouterName: 'NL-1', endAt: TO }
  for (const over of rows)
    await db.insert(dialLogs).values({ ...row, key: unique('k'), routerName: 'li@qiming', startAt: FROM, ...over })
}

describe('directory 2 · logs/online: rows belong to a range that they overlap', () => {
  it.each([
    ['ended just before it', { startAt: FROM - DAY_MS, endAt: FROM - 1 }, 0],
    ['ended in its first millisecond', { startAt: FROM - DAY_MS, endAt: FROM }, 1],
    ['lies within it', { startAt: FROM + 1, endAt: TO - 1 }, 1],
    ['began before it and ended after it', { startAt: FROM - 1, endAt: TO + 1 }, 1],
    ['began in its last millisecond', { startAt: TO, endAt: TO + DAY_MS }, 1],
    ['began just after it', { startAt: TO + 1, endAt: TO + DAY_MS }, 0],
    ['began before it and still lasts', { startAt: FROM - 100 * DAY_MS, endAt: null }, 1],
    ['began in it and still lasts', { startAt: TO, endAt: null }, 1],
    ['began after it and still lasts', { startAt: TO + 1, endAt: null }, 0],
  ])('one that %s', async (_, dial, count) => {
    const main = await createMainAccount()
    await createDials(main.accountId, [dial])
    const answer = await main.call(logsApi.online, RANGE)
    expect(answer).toMatchObject({ code: 200, trips: 1, count, capped: 0 })
    expect(answer.data).toHaveLength(count)
  })

  it('by page: those that began within it first, then those that lasted into it, each once', async () => {
    const main = await createMainAccount()
    const within = Array.from({ length: 14 }, (_, n) => ({ startAt: FROM + n, orig: `in-${n}` }))
    const before = Array.from({ length: 9 }, (_, n) => ({ startAt: FROM - 1 - n, orig: `before-${n}`, endAt: null }))
    await createDials(main.accountId, [...before, ...within, { startAt: FROM - DAY_MS, endAt: FROM - 1 }])
    const expected = [...within.toReversed(), ...before].map(({ orig }) => orig)
    const pages = []
    for (const page of [1, 2, 3, 4]) {
      const answer = await main.call(logsApi.online, { ...RANGE, page })
      expect(answer).toMatchObject({ count: 23 })
      pages.push(answer.data.map(({ orig }) => orig))
    }
    expect(pages).toEqual([expected.slice(0, 10), expected.slice(10, 20), expected.slice(20), []])
    expect((await main.call(logsApi.online, { ...RANGE, limit: 100 })).data.map(({ orig }) => orig)).toEqual(expected)
  })

  it('names the member, the other end and the network as they are called now; of what is gone only the number', async () => {
    const { main, routers } = await createFleet({ hardware: 2, software: 0 })
    const [member, peer] = routers
    await db.update(routerTable).set({ note: '上海总部' }).where(eq(routerTable.id, peer!.id))
    const networkNumber = await createNetwork(main, [member!, peer!], '总部互联')
    const dial = { routerName: member!.name, routerId: member!.id, linkRouterName: peer!.name }
    const now = Date.now()
    await createDials(main.accountId, [
      { ...dial, networkNumber, startAt: now, endAt: null },
      { startAt: now - 1, endAt: null },
    ])
    const { data, trips } = await main.call(logsApi.online, {})
    expect(trips).toBe(1)
    expect(data).toMatchObject([
      { present_name: member!.name, router_type: 1, network_name: '总部互联', link_note: '上海总部' },
      { present_name: '', router_type: null, network_number: 'N1', network_name: '', link_note: '' },
    ])
  })

  it('the last seven days by default: what lasts is in it whenever it began', async () => {
    const main = await createMainAccount()
    const now = Date.now()
    await createDials(main.accountId, [
      { startAt: now - 150 * DAY_MS, endAt: null, orig: 'lasts' },
      { startAt: now - 150 * DAY_MS, endAt: now - 8 * DAY_MS, orig: 'over' },
      { startAt: now - 150 * DAY_MS, endAt: now - 6 * DAY_MS, orig: 'reaches' },
    ])
    const answer = await main.call(logsApi.online, {})
    expect(answer.data.map(({ orig }) => orig).toSorted()).toEqual(['lasts', 'reaches'])
    expect(answer).toMatchObject({ count: 2 })
  })

  it('are found by member, note and address', async () => {
    const { main, routers } = await createFleet({ hardware: 1, software: 0 })
    const [router] = routers
    const startAt = Date.now()
    await createDials(main.accountId, [
      {
        routerId: router!.id,
        routerName: router!.name,
        orig: '203.0.113.77',
        vpnIp: '100.64.16.5',
        startAt,
        endAt: null,
      },
    ])
    const range = { start_time: startAt - 1, end_time: startAt + DAY_MS }
    const [found] = (await main.call(logsApi.online, range)).data
    for (const search of [router!.name.toLowerCase(), found!.note, '113.77', '64.16.5', 'NL-1', 'n1'].filter(Boolean))
      expect([search, (await main.call(logsApi.online, { ...range, search })).count]).toEqual([search, 1])
    expect(await main.call(logsApi.online, { ...range, search: 'nobody' })).toMatchObject({ count: 0, data: [] })
  })

  it('a limited role finds nothing by the note of a member that its networks no longer hold', async () => {
    const { main, routers } = await createFleet({ hardware: 2, software: 0 })
    const number = await createNetwork(main, [routers[0]!])
    const limited = await createSubAccount(main, { networks: [number] })
    const startAt = Date.now()
    const row = { networkNumber: number, startAt, endAt: null }
    await createDials(main.accountId, [
      { ...row, routerId: routers[0]!.id, routerName: 'former-name-0' },
      { ...row, routerId: routers[1]!.id, routerName: 'former-name-1' },
    ])
    const names = async (search: string) =>
      (await limited.call(logsApi.online, { search, end_time: startAt + DAY_MS })).data.map((dial) => dial.router_name)
    expect(await names('')).toEqual(['former-name-1', 'former-name-0'])
    expect(await names(routers[0]!.name)).toEqual(['former-name-0'])
    expect(await names(routers[1]!.name)).toEqual([])
  })

  it('pages end where the count does', async () => {
    const main = await createMainAccount()
    expect(await main.call(logsApi.online, { page: 1_000 })).toMatchObject({ code: 200, data: [] })
    expect(await main.call(logsApi.online, { page: 1_001 })).toMatchObject({
      ...refusal('LOG_ROWS_MAX'),
      msg: '仅显示前10000条记录，请缩小时间范围后查看',
    })
  })
})
