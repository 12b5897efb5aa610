import { describe, expect, it } from 'vitest'
import { blankRouter, loadState, saveState } from '../../../durable/router-hub/storage.ts'

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

  it('of a hub that has stored nothing is blank', () => {
    expect(loadState(createStorage({}))).toEqual(blankRouter)
    expect(loadState(createStorage({ router: null, device: null }))).toEqual(blankRouter)
  })
})
