import { describe, expect, it } from 'vitest'
import { LOG_RANGE_MS } from '#contract/logs/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { dialLogs } from '#db/schema/clients.ts'
import { createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'

const HOUR_MS = 3_600_000

/** Two members' dials into two networks. */
async function createDials() {
  const main = await createMainAccount()
  const { accountId } = main
  const first = await insertNetwork({ accountId, name: '生产网' })
  const gone = unique('n')
  const row = { accountId, mode: 'p2p', linkRouterName: 'NL-1', endAt: null, startAt: Date.now() - HOUR_MS } as const
  const dials = [
    { routerName: 'li@qiming', networkNumber: first.number, rx: 1, tx: 10 },
    { routerName: 'LI@qiming', networkNumber: first.number, rx: 2, tx: 20 },
    { routerName: 'li@qiming', networkNumber: gone, rx: 4, tx: 40 },
    { routerName: 'wang@qiming', networkNumber: first.number, rx: 100, tx: 1_000 },
    { routerName: 'old@qiming', networkNumber: gone, rx: 5, tx: 5, startAt: Date.now() - LOG_RANGE_MS - HOUR_MS },
  ]
  await db.insert(dialLogs).values(dials.map((over) => ({ ...row, key: unique('k'), ...over })))
  return { main, number: first.number, gone }
}

describe('network 3 · router/usage', () => {
  it('sums the dials of each member of the last 7 days, most traffic first, by page', async () => {
    const { main } = await createDials()
    const reply = await main.call(routerApi.usage, {})
    expect(reply).toMatchObject({ code: 200, trips: 1, count: 2 })
    expect(reply.data).toEqual([
      { name: 'wang@qiming', download_flow_sum: 1_000, upload_flow_sum: 100 },
      { name: expect.stringMatching(/^li@qiming$/i), download_flow_sum: 70, upload_flow_sum: 7 },
    ])
    const all = await main.call(routerApi.usage, { start_time: '2020-01-01' })
    expect(all.count).toBe(3)
    expect((await main.call(routerApi.usage, { search: 'WANG' })).count).toBe(1)
    expect((await main.call(routerApi.usage, { page: 2 })).data).toEqual([])
  })

  it('of one member it is a row a network; one that is gone keeps its number', async () => {
    const { main, gone } = await createDials()
    const { data } = await main.call(routerApi.usage, { router_name: 'Li@qiming' })
    expect(data).toEqual([
      { name: gone, download_flow_sum: 40, upload_flow_sum: 4 },
      { name: '生产网', download_flow_sum: 30, upload_flow_sum: 3 },
    ])
  })

  it('a limited role sees what went into its networks; another account nothing', async () => {
    const { main, number } = await createDials()
    const limited = await createSubAccount(main, { networks: [number] })
    const { data } = await limited.call(routerApi.usage, { router_name: 'li@qiming' })
    expect(data).toEqual([{ name: '生产网', download_flow_sum: 30, upload_flow_sum: 3 }])
    const stranger = await createMainAccount()
    expect((await stranger.call(routerApi.usage, { router_name: 'li@qiming' })).data).toEqual([])
  })
})
