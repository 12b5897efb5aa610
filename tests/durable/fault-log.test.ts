import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { runJobs } from '#jobs/jobs.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import { type TestNetwork, createHubNetwork, createViewer, until } from './support.ts'
import { routerApi } from '#contract/router/index.ts'

/** The database as the Worker reaches it, while it is away for the hubs. */
const workerEnv: Env = {
  ...env,
  DB: {
    prepare: env.DB!.prepare.bind(env.DB),
    batch: env.DB!.batch.bind(env.DB),
    withSession: env.DB!.withSession.bind(env.DB),
  } as D1Database,
}
const takeAwayFromHubs = () => vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('D1_ERROR: overloaded'))

let lines: Record<string, unknown>[] = []
/** Lines of a request, of any hub of the network and its account, and of none: an earlier file may have left work that logs. */
function linesOf({ accountHub, hub, center, points }: TestNetwork, id?: string | null) {
  const hubs: unknown[] = [undefined, accountHub, hub, center.hub, ...points.map((point) => point.hub)]
  return lines.filter((line) => hubs.includes(line['hub']) || (id !== undefined && line['requestId'] === id))
}

beforeEach(() => {
  lines = []
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(JSON.parse(line)))
})
it('a call of a method that a hub does not have is refused, so that nothing counts as delivered', async () => {
  const network = await createHubNetwork()
  const hubs = createHubs(env) as unknown as Record<string, (hub: string) => { refreshAll(): Promise<void> }>
  for (const [kind, hub] of [
    ['router', network.center.hub],
    ['network', network.hub],
    ['account', network.accountHub],
    ['directory', network.accountHub],
  ] as const)
    await expect(hubs[kind]!(hub).refreshAll()).rejects.toThrow('no method refreshAll')
})

describe('hubs.md, Fault lines · a fault line of a hub names the request', () => {
  it('of an upgrade', async () => {
    const network = await createHubNetwork()
    const { center } = network
    const viewer = createViewer(center, { accountHub: 'router:1' }) // no hub can register it
    await createHubs(env, 'request-1').connect('router', center.hub, { by: 'viewer', viewer })
    await until(() => linesOf(network, 'request-1')[0])
    const line = { event: 'viewer', hub: center.hub, requestId: 'request-1' }
    expect(linesOf(network, 'request-1')).toMatchObject([line])
  })

  it('of an RPC, whichever hub', async () => {
    const network = await createHubNetwork()
    takeAwayFromHubs()
    const hubs = createHubs(env, 'request-1')
    await expect(hubs.router(network.center.hub).refresh()).rejects.toThrow('overloaded')
    await expect(hubs.network(network.hub).status(1)).rejects.toThrow('overloaded')
    await expect(hubs.account(network.accountHub).refresh()).rejects.toThrow('overloaded')
    const line = { level: 'warn', event: 'read', requestId: 'request-1', error: 'D1_ERROR: overloaded' }
    const called = [network.center.hub, network.hub, network.accountHub]
    expect(linesOf(network, 'request-1')).toEqual(called.map((hub) => ({ ...line, hub })))
  })

  it('of a write whose outbox is delivered behind the answer', async () => {
    const network = await createHubNetwork()
    const { main, center } = network
    const worker = createTestWorker({ env: workerEnv, hubs: (requestId) => createHubs(env, requestId) })
    takeAwayFromHubs()
    const { code, headers } = await worker.call(routerApi.resend, { router_name: center.name }, main.token)
    expect(code).toBe(200)
    const requestId = headers.get('x-request-id')
    expect(linesOf(network, requestId)).toMatchObject([{ event: 'read', hub: center.hub, requestId }])
  })

  it('of a cron run, one id for all that it delivers', async () => {
    const network = await createHubNetwork()
    const { center, points } = network
    const hubs = [center.hub, points[0]!.hub].toSorted()
    await db.delete(hubOutbox)
    await db
      .insert(hubOutbox)
      .values(hubs.map((hub) => ({ id: hub, kind: 'router' as const, hub, op: 'refresh' as const, dueAt: 0 })))
    takeAwayFromHubs()
    await runJobs({ cron: '* * * * *', scheduledTime: 0 }, workerEnv)
    const delivered = linesOf(network)
    expect(delivered.map(({ hub }) => hub).toSorted()).toEqual(hubs)
    const requestIds = new Set(delivered.map(({ requestId }) => requestId))
    expect(requestIds).toEqual(new Set([expect.stringMatching(/^[\da-f-]{36}$/)]))
  })
})
