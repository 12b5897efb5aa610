import { env } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { STATUS_COUNTERS } from '#contract/kernel/status.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { LAST_MIGRATION } from '#db/schema/last-migration.ts'
import { AccountHub } from '#durable/account-hub/account-hub.ts'
import { createHubs } from '#durable/hubs.ts'
import { createStatusPort } from '#durable/status-hub/client.ts'
import { spyOnBatch } from '#tests/support/database-spy.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import { stopClock } from './clock.ts'
import { later } from './support.ts'

const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.'

/** A Worker of one release, with the real StatusHub and hubs. */
const workerOf = (id: string) =>
  createTestWorker({
    env: { CF_VERSION_METADATA: { id, tag: '', timestamp: '' } },
    hubs: (requestId) => createHubs(env, requestId),
    status: createStatusPort,
  })

async function readStatus() {
  const { status, code, data } = await workerOf('reader').call(opsApi.status, {})
  return { status, code, data, of: (name: string) => data.indicators.find((one) => one.name === name) }
}

/** Reports what other tests have counted, and makes the next report due. */
async function startCounting(): Promise<void> {
  await db.run(sql`insert or ignore into d1_migrations (name) values (${LAST_MIGRATION})`)
  stopClock()
  await createStatusPort(env).report()
  later(STATUS_COUNTERS.sendMs)
}

beforeEach(startCounting)

describe('hubs.md, Status · what an operator sees within a minute', () => {
  it('a stopped hub: the probe is not answered', async () => {
    expect((await readStatus()).of('hubs')).toMatchObject({ level: 'ok' })
    vi.spyOn(AccountHub.prototype, 'selfTest').mockImplementation(() => new Promise(() => {}))
    const startedAt = performance.now()
    const { data, of } = await readStatus()
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    expect(of('hubs')).toMatchObject({
      level: 'bad',
      value: expect.stringMatching(/^the probe is not answered: no answer within 3000 ms/),
      runbook: 'region-dark',
    })
    expect(data.level).toBe('bad')
  })

  it('an overloaded database, whose status answers all the same', async () => {
    vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error(OVERLOADED))
    const { status, code, data, of } = await readStatus()
    expect([status, code, data.level]).toEqual([200, 200, 'bad'])
    expect(of('database')).toMatchObject({
      level: 'bad',
      value: `no answer: ${OVERLOADED}`,
      runbook: 'database-overloaded',
    })
    expect(of('outbox')).toMatchObject({ level: 'unknown' })
  })

  it('a database that does not answer at all, for which the status waits five seconds', async () => {
    vi.spyOn(env.DB!, 'batch').mockImplementation(() => new Promise(() => {}))
    const { code, of } = await readStatus()
    expect(code).toBe(200)
    expect(of('database')).toMatchObject({ level: 'bad', value: 'no answer: no answer within 5000 ms' })
  })

  it('a database that was overloaded a moment ago, by the calls that it refused', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const main = await createMainAccount()
    const worker = workerOf('overloaded')
    const spy = spyOnBatch().mockRejectedValue(new Error(OVERLOADED))
    for (let n = 0; n < 25; n++) expect((await worker.call(routerApi.lists, {}, main.token)).reason).toBe('OVERLOADED')
    spy.mockRestore()
    later(STATUS_COUNTERS.sendMs)
    await worker.call(routerApi.lists, {}, main.token) // the report goes with a call
    const { of } = await readStatus()
    expect(of('overloads')).toMatchObject({ level: 'bad', runbook: 'database-overloaded' })
    expect(of('database')).toMatchObject({ level: 'bad', value: expect.stringMatching(/[2-9]\d refused$/) })
  })
})
