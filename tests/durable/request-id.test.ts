import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, it, vi } from 'vitest'
import { HUB_READ } from '#contract/kernel/hub-limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { createDriver, openDb } from '#db/client.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { createHubs } from '#durable/hubs.ts'
import { sweepEntries } from '#jobs/hubs.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import { stopClock } from './clock.ts'
import { createHubNetwork, later } from './support.ts'

/** The database as the Worker reaches it, while it is away for the hubs. */
const workerEnv = {
  ...env,
  ENVIRONMENT: 'production' as const,
  DB: {
    prepare: env.DB!.prepare.bind(env.DB),
    batch: env.DB!.batch.bind(env.DB),
    withSession: env.DB!.withSession.bind(env.DB),
  } as D1Database,
}

let lines: Record<string, unknown>[] = []
beforeEach(() => {
  lines = []
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(JSON.parse(line)))
})
const linesOf = (requestId: string) => lines.filter((line) => line['requestId'] === requestId)

it('hubs.md, Fault lines · one request is followed by its id from the answer through hub and outbox to the database', async () => {
  stopClock()
  const network = await createHubNetwork()
  const { main, hub, number } = network
  const worker = createTestWorker({ env: workerEnv, hubs: (requestId) => createHubs(env, requestId) })
  const outage = vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('D1_ERROR: overloaded'))

  // the answer, as a browser shows it
  const input = { network_number: number, network_name: '跟踪一个请求' }
  const { code, headers } = await worker.call(networkApi.name, input, main.token)
  const id = headers.get('x-request-id') ?? ''
  expect([code, id.length]).toEqual([200, 36])

  // the Worker's line, and those of the hubs that could not read their rows
  expect(linesOf(id).filter(({ event }) => event === 'request')).toMatchObject([{ route: 'POST /api/v1/network/name' }])
  const refused = linesOf(id).filter(({ event }) => event === 'read')
  expect(refused.map((line) => line['hub'])).toContain(hub)
  outage.mockRestore()

  // the rows: what was changed, by whom, and the notices that wait
  const [audit] = await db.select().from(auditLogs).where(eq(auditLogs.requestId, id))
  expect(audit).toMatchObject({ accountId: main.accountId, module: 'network', action: 'name' })
  const waiting = await db.select().from(hubOutbox).where(eq(hubOutbox.requestId, id))
  expect(waiting.map((row) => [row.hub, row.tries])).toContainEqual([hub, 1])

  // the sweep of a later cron run calls the hubs under the same id
  later(HUB_READ.everyMs)
  await db.update(hubOutbox).set({ dueAt: 0 })
  const again = vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('D1_ERROR: database is locked'))
  lines = []
  await sweepEntries(openDb(createDriver(workerEnv)), createHubs(env, 'run-1'))
  again.mockRestore()
  expect(linesOf(id).map((line) => line['hub'])).toContain(hub)
  expect(linesOf('run-1').filter((line) => line['hub'] === hub)).toEqual([])

  later(HUB_READ.everyMs)
  await db.update(hubOutbox).set({ dueAt: 0 })
  await sweepEntries(db, createHubs(env, 'run-2'))
  expect(await db.select().from(hubOutbox).where(eq(hubOutbox.requestId, id))).toEqual([])
})
