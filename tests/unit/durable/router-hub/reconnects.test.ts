import { describe, expect, it } from 'vitest'
import { limitReconnects, noReconnects } from '#durable/router-hub/state/presence.ts'
import { SOCKET_GUARD } from '#contract/kernel/hub-limits.ts'

const T0 = 1_800_000_000_000

describe('reconnects', () => {
  it('allows thirty in five minutes, then pauses twice as long each time', () => {
    let reconnects = noReconnects
    let now = T0
    const waits: number[] = []
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i <= SOCKET_GUARD.reconnects; i++) {
        const next = limitReconnects(reconnects, false, now)
        reconnects = next.reconnects
        if (next.waitMs > 0) waits.push(next.waitMs)
      }
      expect(limitReconnects(reconnects, false, now + 1).waitMs).toBeGreaterThan(0)
      now = reconnects.closedUntil
    }
    expect(waits).toEqual([60_000, 120_000, 240_000])
    expect(limitReconnects(reconnects, false, now + SOCKET_GUARD.reconnectWindowMs + 1).reconnects.pauses).toBe(0)
  })

  it('refuses takeovers beyond four a minute, and lets the device in that remains', () => {
    let reconnects = noReconnects
    const waits: number[] = []
    for (let second = 0; second < 60; second += 2) {
      const next = limitReconnects(reconnects, true, T0 + second * 1000)
      reconnects = next.reconnects
      if (next.waitMs > 0) waits.push(next.waitMs)
    }
    expect(waits).toHaveLength(30 - SOCKET_GUARD.takeovers)
    expect(waits[0]).toBe(52_000)
    expect(limitReconnects(reconnects, false, T0 + 60_000).waitMs).toBe(0)
    expect(limitReconnects(reconnects, true, T0 + 60_000).waitMs).toBe(0)
  })
})
