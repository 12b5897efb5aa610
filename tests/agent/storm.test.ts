import { describe, expect, it } from 'vitest'
import { isOnline, nextDue, step } from '#durable/router-hub/state/machine.ts'
import { presenceView } from '#durable/router-hub/state/presence.ts'
import { type RouterState, blankRouter, unknownRouter } from '#durable/router-hub/state/storage.ts'
import { type Ending, retryDelayMs } from '#infra/agent/hub/retry.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { createRandom } from '#tests/support/random.ts'

const AGENTS = 1_000
const T0 = 1_800_000_000_000
const SETTLED_MS = 60_000
const DOCUMENT = { version: 3, hash: 'a' }

const HELLO = {
  t: 'hello' as const,
  protocol: 1,
  serial: 'R',
  boot_id: 'b',
  agent_version: '1',
  model: 'M',
  mac: '',
  capabilities: [],
  interfaces: [],
  probe_port: 0,
}

/** An agent's reconnect state and its hub's state machine, without sockets. */
interface Pair {
  hub: RouterState
  attempt: number
  isUp: boolean
  tryAt: number
  upAt: number | null
}

/** Simulates a crash in virtual time with the real rules: agent back-off, hub presence and configuration. */
function storm(random: () => number, awayMs: number) {
  const delayMs = (ending: Omit<Ending, 'code'>) =>
    retryDelayMs({ code: 1006, ...ending }, PRESENCE.restartSpreadMs, random)
  const shown = new Set<string>()
  let pushes = 0
  const apply = (pair: Pair, event: Parameters<typeof step>[1], at: number) => {
    const { state, effects } = step(pair.hub, event, at)
    pair.hub = state
    pushes += effects.filter(({ type }) => type === 'push').length
    shown.add(presenceView(state.presence).state)
  }
  const connect = (pair: Pair, at: number) => {
    const identity = {
      accountId: 1,
      deviceId: 1,
      keyFingerprint: 'k',
      routerName: 'R',
      serial: 'R',
      remoteHost: '',
      remotePort: 0,
      tokenId: '',
    }
    apply(pair, { type: 'accepted', identity, isTakeover: false, isResumed: false }, at)
    apply(pair, { type: 'frame', frame: { ...HELLO, applied: DOCUMENT }, spreadMs: PRESENCE.restartSpreadMs }, at)
  }
  const pairs = Array.from({ length: AGENTS }, (): Pair => {
    const pair: Pair = { hub: blankRouter, attempt: 0, isUp: true, tryAt: 0, upAt: null }
    connect(pair, T0 - SETTLED_MS)
    const facts = {
      router: { ...unknownRouter, accountId: 1, deviceId: 1, keyFingerprint: 'k', routerName: 'R' },
      enabled: true,
      linkIds: new Set<string>(),
    }
    apply(
      pair,
      { type: 'refreshed', ...facts, hash: DOCUMENT.hash, isEmpty: false, floor: DOCUMENT.version },
      T0 - SETTLED_MS,
    )
    return pair
  })
  shown.clear()
  pushes = 0
  const perSecond = new Map<number, number>()
  for (const pair of pairs) {
    let at = T0 + delayMs({ attempt: (pair.attempt = 1), wasUp: true })
    while (at < T0 + awayMs)
      at += delayMs({ attempt: ++pair.attempt, wasUp: false, isRestarting: true, lostMs: at - T0 })
    // The hub restarts without its socket; timers that are due before the reconnect fire.
    apply(pair, { type: 'leaseChecked', lastReceivedAt: null }, T0 + awayMs)
    for (let due = nextDue(pair.hub); due !== null && due <= at; due = nextDue(pair.hub))
      apply(pair, { type: 'due' }, due)
    connect(pair, at)
    pair.upAt = at
    const second = Math.floor((at - T0) / 1000)
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
  }
  return {
    lastMs: Math.max(...pairs.map(({ upAt }) => upAt! - T0)),
    busiest: Math.max(...perSecond.values()),
    shown: [...shown],
    pushes,
    online: pairs.filter(({ hub }) => isOnline(hub)).length,
  }
}

describe(`${AGENTS} agents that a crash cuts off`, () => {
  it.each([4_000, 10_000, 30_000])(
    'come back over the spread where the server is away for %i ms, and nothing shown or pushed moves',
    (awayMs) => {
      for (let seed = 1; seed <= 5; seed++) {
        const { lastMs, busiest, ...rest } = storm(createRandom(seed).next, awayMs)
        expect(rest).toEqual({ shown: ['online'], pushes: 0, online: AGENTS })
        expect(lastMs).toBeLessThan(PRESENCE.restartSpreadMs + 5_000)
        expect(busiest).toBeLessThan(AGENTS / 10)
      }
    },
  )

  it.each([0, 500, 2_000])('for %i ms come back at the latest with the spread', (awayMs) => {
    const { lastMs, ...rest } = storm(createRandom(1).next, awayMs)
    expect(rest).toMatchObject({ shown: ['online'], pushes: 0, online: AGENTS })
    expect(lastMs).toBeLessThan(PRESENCE.restartSpreadMs + 5_000)
  })

  it('for an hour come back over the spread, too', () => {
    const { lastMs, busiest, online } = storm(createRandom(1).next, 3_600_000)
    expect(online).toBe(AGENTS)
    expect(lastMs).toBeLessThan(3_600_000 + PRESENCE.restartSpreadMs)
    expect(busiest).toBeLessThan(AGENTS / 10)
  })
})
