import { env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { StatusPort } from '#contract/kernel/status.ts'
import { opsApi } from '#contract/ops/index.ts'
import { OPERATOR_GUARD, STATUS } from '#contract/ops/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { LAST_MIGRATION } from '#db/schema/last-migration.ts'
import { hubHolds, hubOutbox, jobRuns, missingRows } from '#db/schema/service.ts'
import { routerStates } from '#db/schema/routers.ts'
import { sampleStatus } from '#jobs/status.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import { NO_STATUS } from '#tests/support/fake-status.ts'
import { createMainAccount, createRouter } from '#tests/support/fixtures.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'

const READING = { releases: { v1: { calls: 10, 'refused TOKEN_BAD': 3, refusals: 3 } }, online: null }
const counting = (over: Partial<StatusPort> = {}) =>
  createTestWorker({ status: () => ({ ...NO_STATUS, read: async () => READING, ...over }) })

async function readStatus(worker = counting()) {
  const answer = await worker.call(opsApi.status, {})
  const of = (name: string) => answer.data.indicators.find((one) => one.name === name)
  return { ...answer, of }
}

beforeEach(async () => {
  for (const table of [hubOutbox, missingRows, hubHolds]) await db.delete(table)
  await db.run(sql`insert or ignore into d1_migrations (name) values (${LAST_MIGRATION})`)
})

describe('design 8 · ops · status', () => {
  it('is one round trip, and names release, counters and time', async () => {
    const { code, trips, data } = await readStatus()
    expect([code, trips]).toEqual([200, 1])
    expect(data).toMatchObject({
      release: 'local',
      counters: 'kept',
      releases: [{ release: 'v1', calls: 10, refusals: 3, faults: 0, reasons: { TOKEN_BAD: 3 } }],
    })
    expect(data.to - data.from).toBe(STATUS.spanS * 1000)
  })

  it('counts a time that ended earlier, for the comparison of releases', async () => {
    const asked: unknown[] = []
    const worker = counting({
      read: async (question) => {
        asked.push(question.to - question.from)
        return READING
      },
    })
    const { data } = await worker.call(opsApi.status, { span_s: 120, ago_s: 120 })
    expect(asked).toEqual([120_000, 120_000])
    expect(Date.now() - data.to).toBeGreaterThanOrEqual(119_000)
  })

  it('shows the migration that is missing', async () => {
    await db.run(sql`delete from d1_migrations where name = ${LAST_MIGRATION}`)
    expect((await readStatus()).of('migrations')).toMatchObject({ level: 'bad', runbook: 'release-bad' })
  })

  it('counts routers that do not answer, and documents that a device has not applied', async () => {
    const main = await createMainAccount()
    const before = (await readStatus()).of('hubs')?.level
    const state = { presence: 'online', remoteHost: '203.0.113.5' } as const
    const lost = await createRouter(main.accountId, { state: { ...state, unreadableSince: Date.now() - 60_000 } })
    await createRouter(main.accountId, { state: { ...state, configState: 'failed', configAt: Date.now() - 600_000 } })
    const status = await readStatus()
    expect([before, status.of('hubs')]).toEqual([
      'ok',
      expect.objectContaining({
        level: 'warn',
        value: expect.stringMatching(/1 unreadable routers, the oldest for 60 s/),
      }),
    ])
    expect(status.of('documents')?.value).toBe('1 not applied, the oldest for 10 min')
    expect(status.of('online')?.value).toMatch(/^1 now/)
    await db.update(routerStates).set({ unreadableSince: null }).where(eq(routerStates.routerId, lost.id))
  })

  it('shows the hold, and since when the cron has not run', async () => {
    await db.insert(hubHolds).values({ id: 1, since: Date.now() - 300_000, changedAt: 1, changedBy: 'li.na' })
    await db.delete(jobRuns)
    const before = await readStatus()
    expect([before.of('missing')?.level, before.of('cron')?.level]).toEqual(['bad', 'bad'])
    let online: number | undefined
    await sampleStatus(db, { sample: async (n) => void (online = n) }, Date.now() - STATUS.cron.warnMs)
    expect((await readStatus()).of('cron')?.level).toBe('warn')
    await sampleStatus(db, NO_STATUS, Date.now())
    expect([(await readStatus()).of('cron')?.level, online]).toEqual(['ok', expect.any(Number)])
  })

  it('a stuck outbox is shown at once, and is bad within a minute', async () => {
    const main = await createMainAccount()
    const router = await createRouter(main.accountId)
    const broken = createTestWorker({ hubs: fakeHubs({ 'router.resend': noAnswer }).hubs })
    const written = Date.now()
    expect((await broken.call(routerApi.resend, { router_name: router.name }, main.token)).code).toBe(200)
    expect((await readStatus()).of('outbox')).toMatchObject({
      level: 'warn',
      value: expect.stringContaining('1 waiting, 1 stuck'),
      runbook: 'queue-stuck',
    })
    vi.useFakeTimers({ toFake: ['Date'], now: written + 60_000 })
    const { data, of } = await readStatus()
    expect([of('outbox')?.level, data.level]).toEqual(['bad', 'bad'])
  })

  it('an outbox that nobody delivers is shown, too', async () => {
    const dueAt = Date.now() - STATUS.sweepLateMs
    await db.insert(hubOutbox).values({ id: 'x', kind: 'router', hub: 'default.00', op: 'refresh', dueAt })
    expect((await readStatus()).of('outbox')).toMatchObject({
      level: 'bad',
      value: '1 waiting, 1 stuck, the oldest for 40 s',
    })
  })

  it('goes on without a StatusHub, and with one that does not answer', async () => {
    const unbound = await readStatus(createTestWorker())
    expect([unbound.code, unbound.data.counters, unbound.of('release')?.level]).toEqual([200, 'unbound', 'unknown'])
    const away = await readStatus(counting({ read: async () => noAnswer() }))
    expect([away.code, away.data.counters, away.data.releases]).toEqual([200, 'away', []])
  })

  it('needs a token, and an address that is paused is refused with the right one, too', async () => {
    const ip = nextAddress()
    const worker = counting()
    expect(await worker.call(opsApi.status, {}, { token: 'x'.repeat(32), ip })).toMatchObject({ reason: 'TOKEN_BAD' })
    for (let n = 1; n < OPERATOR_GUARD.perAddress; n++) await worker.call(opsApi.status, {}, { token: `x${n}`, ip })
    expect(await worker.call(opsApi.status, {}, { token: env.OPERATOR_TOKEN, ip })).toMatchObject({
      reason: 'TOO_OFTEN',
    })
  })
})
