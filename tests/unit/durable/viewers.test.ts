import { describe, expect, it } from 'vitest'
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
  const { pingedAt } = socket
  const ctx = {
    getWebSockets: () => [{ readyState: WebSocket.OPEN, deserializeAttachment: () => attachment }],
    getWebSocketAutoResponseTimestamp: () => (pingedAt === null ? null : new Date(pingedAt)),
  }
  return new Viewers(ctx as unknown as DurableObjectState, {} as ConstructorParameters<typeof Viewers>[1])
}

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
})
