import { afterEach, describe, expect, it, vi } from 'vitest'
import { Viewers } from '#durable/viewers.ts'
import { STREAM } from '#contract/kernel/hub-limits.ts'

const T0 = 1_800_000_000_000
const LEASE_MS = STREAM.leaseSeconds * 1000

/** Viewers of a hub with one open socket, as after hibernation. */
function openViewers(socket: { acknowledgedAt: number; pingedAt: number | null; isLegacy?: boolean }) {
  const attachment = {
    viewer: { isLegacy: socket.isLegacy ?? false },
    lastReceivedAt: socket.acknowledgedAt,
    isBehind: false,
  }
  const open = {
    readyState: WebSocket.OPEN,
    deserializeAttachment: () => attachment,
    serializeAttachment: () => {},
    send: () => {},
  }
  const ctx = {
    getWebSockets: () => [open],
    getWebSocketAutoResponseTimestamp: () => (socket.pingedAt === null ? null : new Date(socket.pingedAt)),
  }
  const deps = { seq: () => 1, state: () => [] }
  return new Viewers(ctx as unknown as DurableObjectState, deps as unknown as ConstructorParameters<typeof Viewers>[1])
}

afterEach(() => void vi.useRealTimers())

describe('a hub is watched by a viewer', () => {
  it.each([
    ['that acknowledged within the lease', { acknowledgedAt: T0, pingedAt: null }, LEASE_MS - 1, true],
    ['that is silent', { acknowledgedAt: T0, pingedAt: null }, LEASE_MS, false],
    ['that only pings, while its device sends nothing', { acknowledgedAt: T0, pingedAt: T0 + 60_000 }, 80_000, true],
    ['whose pings stopped', { acknowledgedAt: T0, pingedAt: T0 + 60_000 }, 90_000, false],
    ['of the bare contract, for a minute', { acknowledgedAt: T0, pingedAt: null, isLegacy: true }, 59_999, true],
  ])('%s', (_, socket, afterMs, expected) => {
    expect(openViewers(socket).isWatched(T0 + afterMs)).toBe(expected)
  })

  it('that pings, until it has left frames unacknowledged for longer than the lease', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: T0 })
    const socket = { acknowledgedAt: T0, pingedAt: T0 }
    const viewers = openViewers(socket)
    const broadcast = () => viewers.broadcast({ type: 'interface', data: {} })
    for (let n = 0; n <= STREAM.creditFrames; n++) broadcast() // the last one is left out
    socket.pingedAt = T0 + LEASE_MS
    expect([viewers.isWatched(T0 + LEASE_MS - 1), viewers.isWatched(T0 + LEASE_MS)]).toEqual([true, false])
    viewers.onMessage(viewers.sockets()[0]!, '{"type":"ack","seq":1}', T0 + LEASE_MS)
    expect(viewers.isWatched(T0 + LEASE_MS)).toBe(true)
  })

  it('that pings and has acknowledged everything, however long its device sends nothing', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: T0 })
    const socket = { acknowledgedAt: T0, pingedAt: T0 + 10 * LEASE_MS }
    const viewers = openViewers(socket)
    viewers.broadcast({ type: 'interface', data: {} })
    expect(viewers.isWatched(T0 + 10 * LEASE_MS)).toBe(true)
  })
})
