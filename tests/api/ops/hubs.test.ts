import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { createMainAccount, createMany, createNetwork, createRouter, networkRow } from '#tests/support/fixtures.ts'
import { call, db, hubCalls } from '#tests/support/test-worker.ts'

describe('design 8 · ops · hubs', () => {
  it('are all refreshed, page by page, through the outbox', async () => {
    const main = await createMainAccount({ services: { network_member: 10 } })
    const fleet = await createMany(3, () => createRouter(main.accountId))
    const number = await createNetwork(main, fleet)
    const { hub: networkHub } = await networkRow(number)
    const since = hubCalls.length
    const pages = []
    for (let after: string | undefined; ;) {
      const { code, data } = await call(opsApi.refreshHubs, after === undefined ? {} : { after })
      expect(code).toBe(200)
      pages.push(data.queued)
      if (data.next === null) break
      after = data.next
    }
    expect(pages.length).toBeGreaterThanOrEqual(3)
    const called = JSON.stringify(hubCalls.slice(since))
    for (const hub of [main.hub, networkHub, ...fleet.map((router) => router.hub)]) expect(called).toContain(hub)
    expect(await db.select().from(hubOutbox)).toEqual([])
  })

  it('go on behind the row that the caller names, and refuse a place that is none', async () => {
    const main = await createMainAccount()
    const [first, second] = await createMany(2, () => createRouter(main.accountId))
    const since = hubCalls.length
    const { data } = await call(opsApi.refreshHubs, { after: `router:${first!.id}` })
    const called = JSON.stringify(hubCalls.slice(since))
    expect([called.includes(first!.hub), called.includes(second!.hub)]).toEqual([false, true])
    expect(data.queued).toBeGreaterThan(0)
    for (const after of ['hub:1', 'router:', 'router:1.5', ''])
      expect(await call(opsApi.refreshHubs, { after })).toMatchObject({ code: 422, data: { field: 'after' } })
  })
})
