import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { createFleet, createNetwork, createRouter, networkRow } from '#tests/support/fixtures.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'

const online = { presence: 'online', presenceSince: 1, lastSeenAt: 1 } as const

describe('design 12 · network/lists · health', () => {
  it('is the account hub’s, asked for with what the rows say, in one round trip and one call', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const [a, b] = [await createRouter(main.accountId, { state: online }), await createRouter(main.accountId)]
    const number = await createNetwork(main, [a, b])
    const { hub } = await networkRow(number)
    const { health } = evaluateNetwork([], [])
    const { hubs, calls } = fakeHubs({
      'account.health': () => ({ summaries: { [hub]: { health, problems: [] } }, transitions: [] }),
    })
    const worker = createTestWorker({ hubs })
    const reply = await worker.call(networkApi.lists, {}, main.token)
    expect(reply).toMatchObject({ trips: 1, count: 1, data: [{ network_number: number, health }] })
    expect(JSON.stringify(reply.data)).not.toContain(hub)
    const members = { online: 1, reconnecting: 0, flapping: 0, unreadable: 0, offline: 0, never: 1, disabled: 0 }
    const question = { networks: [{ hub, revision: 1, members }], since: null }
    expect(calls).toEqual([{ kind: 'account', hub: main.hub, method: 'health', args: [question] }])
  })

  it('is null where the hub does not answer', async () => {
    const { main, routers } = await createFleet({ hardware: 1 })
    await createNetwork(main, [routers[0]!])
    const broken = () => {
      throw new Error('overloaded')
    }
    const worker = createTestWorker({ hubs: fakeHubs({ 'account.health': broken }).hubs })
    expect(await worker.call(networkApi.lists, {}, main.token)).toMatchObject({ code: 200, data: [{ health: null }] })
  })
})
