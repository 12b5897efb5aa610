import { env, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { PING, PONG } from '#contract/kernel/protocol.ts'
import { SELF_TEST_HUB } from '#contract/kernel/hubs.ts'
import { SELF_TEST_SOCKET_PATH } from '#contract/ops/endpoints/self-test.ts'
import { callMethod, createHubs } from '#durable/hubs.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'

const release = { id: 'v7', tag: '', timestamp: '' }
const hubs = (requestId: string) => createHubs(env, requestId)
const worker = createTestWorker({ hubs, env: { CF_VERSION_METADATA: release } })

describe('the self-test of a release', () => {
  it('has a guard refused by its name and a hub store and read, and names who answered', async () => {
    const { data } = await worker.call(opsApi.selfTest, {})
    expect(data).toEqual({ release: 'v7', hub_release: '', guard: null, hub: null })
  })

  it('says which of both fails', async () => {
    const silent = createTestWorker({ hubs: fakeHubs({ 'account.selfTest': noAnswer }).hubs })
    expect((await silent.call(opsApi.selfTest, {})).data).toMatchObject({
      guard: null,
      hub: expect.stringContaining('a hub did not answer'),
    })
    const forgetful = createTestWorker({
      hubs: fakeHubs({ 'account.selfTest': () => ({ stored: 'x', release: '' }) }).hubs,
    })
    expect((await forgetful.call(opsApi.selfTest, {})).data.hub).toMatch(/^a hub stored \w{16} and read x$/)
    const cut = createTestWorker({ hubs, lostAt: { trip: 1, is: 'before' } })
    expect((await cut.call(opsApi.selfTest, {})).data.guard).toMatch(/^a guard failed without its name/)
  })

  const open = (headers: Record<string, string>) =>
    worker.request(`/ops/v1/${SELF_TEST_SOCKET_PATH}`, { headers: { 'cf-connecting-ip': nextAddress(), ...headers } })

  it('opens a socket, whose ping is answered, with the token alone', async () => {
    const authorization = `Bearer ${env.OPERATOR_TOKEN}`
    const { status, webSocket } = await open({ authorization, upgrade: 'websocket' })
    expect(status).toBe(101)
    const answer = new Promise((resolve) => webSocket?.addEventListener('message', ({ data }) => resolve(data)))
    webSocket?.accept()
    webSocket?.send(PING)
    expect(await answer).toBe(PONG)
    webSocket?.close(1000, 'self-test')
    expect(await (await open({ authorization })).json()).toMatchObject({ reason: 'UPGRADE_REQUIRED' })
    expect(await (await open({ upgrade: 'websocket' })).json()).toMatchObject({ reason: 'TOKEN_BAD' })
  })

  it('names a hub of an earlier release, which has neither the method nor the socket', async () => {
    const before = {
      'account.selfTest': () => callMethod({}, 'r', 'selfTest', []),
      'account.connect': () => new Response(null, { status: 400 }),
    }
    const earlier = createTestWorker({ hubs: fakeHubs(before).hubs })
    const { data } = await earlier.call(opsApi.selfTest, {})
    expect(data).toMatchObject({ guard: null, hub: expect.stringContaining('the hub is of an earlier release') })
    const headers = { authorization: `Bearer ${env.OPERATOR_TOKEN}`, upgrade: 'websocket' }
    const { webSocket } = await earlier.request(`/ops/v1/${SELF_TEST_SOCKET_PATH}`, { headers })
    const closed = new Promise((resolve) => webSocket?.addEventListener('close', ({ reason }) => resolve(reason)))
    webSocket?.accept()
    expect(await closed).toBe(data.hub)
  })

  it('leaves nothing behind in the hub', async () => {
    const hub = env.ACCOUNT_HUB.getByName(SELF_TEST_HUB)
    expect(await hub.selfTest('mark')).toEqual({ stored: 'mark', release: '' })
    expect(await runInDurableObject(hub, (_, { storage }) => [...storage.kv.list()])).toEqual([])
  })
})
