import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Counters, STATUS_COUNTERS } from '#contract/kernel/status.ts'
import { loginApi } from '#contract/login/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { count } from '#db/counters.ts'
import { createHubs } from '#durable/hubs.ts'
import { createStatusPort } from '#durable/status-hub/client.ts'
import { StatusHub } from '#durable/status-hub/status-hub.ts'
import { noAnswer } from '#tests/support/fake-hubs.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'
import { stopClock } from './clock.ts'
import { createHubNetwork, later } from './support.ts'

/** A Worker of one release, which reports to the real StatusHub. */
const workerOf = (id: string) =>
  createTestWorker({ env: { CF_VERSION_METADATA: { id, tag: '', timestamp: '' } }, status: createStatusPort })

const readReleases = async () => {
  const to = Date.now() + 1
  return (await createStatusPort(env).read({ from: to - 60_000, to, onlineBefore: 0 }))?.releases ?? {}
}
const countersOf = async (id: string): Promise<Counters | undefined> => (await readReleases())[id]

/** Reports what other tests have counted, and makes the next report due. */
beforeEach(async () => {
  stopClock()
  count('trips', 0)
  await createStatusPort(env).report()
  later(STATUS_COUNTERS.sendMs)
})

describe('hubs.md, Status · counters of an isolate', () => {
  it('go to the StatusHub by release: calls, faults, refusals by reason, database calls', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const main = await createMainAccount()
    const worker = workerOf('v7')
    const broken = createTestWorker({ outside: () => fail('adapter is broken') })
    await worker.call(routerApi.lists, {}, main.token)
    await worker.call(routerApi.lists, {})
    await worker.request('/api/v1/no/such')
    expect((await broken.call(loginApi.refresh, {})).status).toBe(500)
    expect((await countersOf('v7'))?.calls).toBe(1) // a report was due with the first call alone
    later(STATUS_COUNTERS.sendMs)
    await worker.call(routerApi.lists, {}, main.token)
    const counted = await countersOf('v7')
    expect(counted).toMatchObject({
      calls: 5,
      faults: 1,
      refusals: 2,
      'refused TOKEN_BAD': 1,
      'refused PATH_UNKNOWN': 1,
    })
    expect(counted?.trips).toBeGreaterThanOrEqual(2)
  })

  it('are sent by a hub only once something has failed', async () => {
    const { hub, center } = await createHubNetwork()
    later(STATUS_COUNTERS.sendMs)
    const add = vi.spyOn(StatusHub.prototype, 'add')
    await createHubs(env).router(center.hub).resend()
    expect(add).not.toHaveBeenCalled()
    const outage = vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('D1_ERROR: D1 DB is overloaded.'))
    await createHubs(env)
      .network(hub)
      .status(2)
      .catch(() => {})
    outage.mockRestore()
    await vi.waitFor(async () => expect((await countersOf('local'))?.refusedTrips).toBe(1))
    expect((await countersOf('local'))?.trips).toBeGreaterThan(1)
  })

  it('fail and delay no call: a report without an answer goes with the next one', async () => {
    const main = await createMainAccount()
    const worker = workerOf('v8')
    const spy = vi.spyOn(StatusHub.prototype, 'add').mockImplementation(noAnswer)
    expect((await worker.call(routerApi.lists, {}, main.token)).code).toBe(200)
    expect(spy).toHaveBeenCalledOnce()
    spy.mockRestore()
    expect(await countersOf('v8')).toBeUndefined()
    later(STATUS_COUNTERS.sendMs)
    await worker.call(routerApi.lists, {}, main.token)
    expect((await countersOf('v8'))?.calls).toBe(2)
  })

  it('are left out where no StatusHub is bound', async () => {
    const { STATUS_HUB: _, ...bare } = env
    const port = createStatusPort(bare as Env)
    expect([port.report(), port.read({ from: 0, to: 1, onlineBefore: 0 }), port.sample(1)]).toEqual([null, null, null])
  })
})

function fail(words: string): never {
  throw new Error(words)
}
