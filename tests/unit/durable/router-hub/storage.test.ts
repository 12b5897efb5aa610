import { serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { emptyOutbox, enqueue, withSaved } from '#durable/router-hub/state/outbox.ts'
import { type RouterState, blankRouter, loadState, saveState } from '#durable/router-hub/state/storage.ts'
import { FakeStorage } from '../fake-storage.ts'

/** A state as an older release may have stored it: `device` without interfaces, `config` without attempts, no `reconnects`. */
const OLDER: Readonly<Record<string, unknown>> = {
  router: {
    accountId: 7,
    accountHub: 'default.00112233445566778899aabbccddeeff',
    routerName: '总部',
    networks: [{ hub: 'default.ffeeddccbbaa99887766554433221100', number: '1234567890' }],
  },
  device: { remoteHost: '203.0.113.7', remotePort: 0, version: '1.0.0', mac: '' },
  presence: { epoch: 4, connected: true, greeted: true, base: 'online', since: 1_800_000_000_000, lastSeen: 1 },
  config: { version: 3, hash: 'a', state: 'applied', reason: '', at: 1, applied: { version: 3, hash: 'a' } },
  jobs: [{ id: 'j', kind: 'report', params: {}, expiresAt: 1, state: 'done', reason: '' }],
  links: { 'n:a>b': { up: true, rtt_ms: 3 } },
  outbox: { change: 9, saved: 9 },
}

const createStorage = (values: Readonly<Record<string, unknown>>) =>
  ({ kv: { get: (key: string) => values[key] } }) as unknown as DurableObjectStorage

describe('the stored state of a router hub', () => {
  it('of an older release gets defaults for fields that it lacks', () => {
    const state = loadState(createStorage(OLDER))
    expect(state.router).toMatchObject({ accountId: 7, deviceId: null, keyFingerprint: null })
    expect(state.device).toMatchObject({ remoteHost: '203.0.113.7', probePort: 0, interfaces: [] })
    expect(state.presence).toMatchObject({ epoch: 4, flapping: false, changes: [], decideAt: null })
    expect(state.config).toMatchObject({ version: 3, tries: 0, received: false, pushAt: null })
    expect(state.outbox).toMatchObject({ change: 9, notified: 0, logs: [], failures: 0 })
    expect(state.reconnects).toEqual(blankRouter.reconnects)
    expect([state.commands, state.links]).toEqual([OLDER['jobs'], OLDER['links']])
  })

  it('keeps commands under the key of the first release', () => {
    const stored: Record<string, unknown> = {}
    const kv = { put: (key: string, value: unknown) => void (stored[key] = value) }
    const { commands } = loadState(createStorage(OLDER))
    saveState({ kv } as unknown as DurableObjectStorage, blankRouter, { ...blankRouter, commands })
    expect(stored).toEqual({ jobs: OLDER['jobs'] })
  })

  it('has the data of each result under a key of its own until it is saved, and the outbox without it', () => {
    const storage = new FakeStorage()
    const save = (before: RouterState, after: RouterState) =>
      saveState(storage as unknown as DurableObjectStorage, before, after)
    const result = (id: string) => ({ id, state: 'done', reason: '', data: `"${id}"` }) as const
    const withResults = (...ids: string[]) => ({
      ...blankRouter,
      outbox: enqueue(emptyOutbox, { results: ids.map(result) }),
    })
    const [first, both] = [withResults('a'), withResults('a', 'b')]
    save(blankRouter, first)
    save(first, both)
    expect(storage.writes).toEqual(['put result:a', 'put outbox', 'put result:b', 'put outbox'])
    expect(JSON.stringify(storage.kv.get('outbox'))).not.toContain('data')
    expect(loadState(storage as unknown as DurableObjectStorage).outbox).toEqual(both.outbox)
    const saved = { ...both, outbox: withSaved(both.outbox, both.outbox, 1) }
    save(both, saved)
    expect(storage.writes.slice(4)).toEqual(['delete result:a', 'delete result:b', 'put outbox'])
    expect(loadState(storage as unknown as DurableObjectStorage).outbox).toEqual(saved.outbox)
  })

  it('of a hub that has stored nothing is blank', () => {
    expect(loadState(createStorage({}))).toEqual(blankRouter)
    expect(loadState(createStorage({ router: null, device: null }))).toEqual(blankRouter)
  })

  it('holds 16,000 links of the longest ids in values that the platform takes, and forgets those that went', () => {
    const storage = new FakeStorage()
    const linksOf = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`n:${String(n).padEnd(158, 'x')}`, { up: n % 2 === 0, rtt_ms: n }]),
      )
    let before = blankRouter
    for (const count of [16_000, 4_001, 4_000, 0, 9_000]) {
      const after = { ...blankRouter, links: linksOf(count) }
      saveState(storage as unknown as DurableObjectStorage, before, after)
      const loaded = loadState(storage as unknown as DurableObjectStorage)
      expect(loaded.links).toEqual(after.links)
      for (const key of ['links', 'links:1', 'links:2', 'links:3'])
        expect(serialize(storage.kv.get(key)).length).toBeLessThan(2_000_000)
      before = after
    }
  })
})
