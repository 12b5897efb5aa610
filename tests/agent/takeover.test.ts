import { describe, expect, it } from 'vitest'
import { limitReconnects, noReconnects } from '#durable/router-hub/state/presence.ts'
import { HubConnection } from '#infra/agent/hub/hub-connection.ts'
import type { SocketEvents } from '#infra/agent/agent-socket.ts'
import { AGENT, PRESENCE } from '#contract/kernel/hub-limits.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { ONE_ADDRESS } from './support/agents.ts'
import { FakeClock } from './support/fake-clock.ts'
import { WELCOME, createHarness } from './support/timed-agent.ts'

const MINUTE = 60_000

describe('an agent that is taken over', () => {
  it('taken over by a late try of its own is back at once', async () => {
    const { agent, clock, sockets, lines, welcome } = await createHarness()
    // between two tries lie a question to the server and a signature, which take real time
    const untilTried = (times: number) =>
      expect.poll(async () => (await clock.advance(200), sockets.all.length), { interval: 2 }).toBe(times)
    sockets.last.events.closed(1006, '')
    await untilTried(2)
    await clock.advance(AGENT.connectMs) // given up without an answer, and tried anew
    await untilTried(3)
    await welcome()
    expect([agent.isUp, sockets.all.length]).toEqual([true, 3])
    sockets.last.events.closed(4001, 'superseded') // a busy server has taken the second try after the third
    await untilTried(4)
    await welcome()
    expect([agent.isUp, sockets.all.length]).toEqual([true, 4])
    await clock.advance(75_000)
    sockets.last.events.closed(4001, 'superseded') // this is somebody else
    expect(lines.at(-1)).toContain('next try in 15.0 s')
    await clock.advance(12_000)
    expect([agent.isUp, sockets.all.length]).toEqual([false, 4])
  })

  it('says why, and comes back after a quarter of a minute', async () => {
    const { agent, clock, sockets, lines, welcome } = await createHarness()
    sockets.last.events.closed(CLOSE.superseded, 'superseded')
    expect(lines.at(-1)).toMatch(
      /another agent uses the key of this device, perhaps on a copy of its disk.*next try in 15\.0 s/,
    )
    await clock.advance(15_000)
    await welcome()
    expect(agent.isUp).toBe(true)
  })
})

/** A hub for agents with one key: the newest socket closes the older one, and the hub's own limit on reconnects holds. */
function createSharedHub(clock: FakeClock) {
  const takeovers: number[] = []
  let refused = 0
  let reconnects = noReconnects
  let current: SocketEvents | null = null
  const accept = (events: SocketEvents): void => {
    const limited = limitReconnects(reconnects, current !== null, clock.now())
    reconnects = limited.reconnects
    if (limited.waitMs > 0) {
      refused += 1
      return events.closed(CLOSE.tooOften, `retry_after=${Math.ceil(limited.waitMs / 1000)}`)
    }
    const older = current
    if (older) takeovers.push(clock.now())
    current = events
    older?.closed(CLOSE.superseded, 'superseded')
    events.message(JSON.stringify(WELCOME))
  }
  const start = (random: () => number) => {
    const connection = new HubConnection({
      clock,
      addresses: ONE_ADDRESS,
      openSocket: (_, __, events) => {
        queueMicrotask(() => {
          events.opened()
          accept(events)
        })
        const close = () => {
          if (current === events) current = null
        }
        const send = (text: string) => text === 'ping' && queueMicrotask(() => events.message('pong'))
        return { send, close, bufferedAmount: () => 0 }
      },
      random,
      log: () => {},
      authorize: async () => ({}),
      explain: async () => null,
      opened: async () => {},
      frame: () => {},
      lost: () => {},
      removed: () => {},
    })
    connection.start()
    return connection
  }
  return { start, takeovers, refused: () => refused }
}

describe('two agents with one key', () => {
  const sequence = (seed: number) => {
    let state = seed
    return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
  }

  it.each([1, 2, 3])(
    'take turns so often that it shows, and so seldom that nobody is locked out (%i)',
    async (seed) => {
      const clock = new FakeClock()
      const hub = createSharedHub(clock)
      const [first, second] = [hub.start(sequence(seed)), hub.start(sequence(seed + 100))]
      const startedAt = clock.now()
      await clock.advance(60 * MINUTE)
      expect(hub.takeovers[PRESENCE.flapChanges - 1]! - startedAt).toBeLessThan(3 * MINUTE)
      for (let from = startedAt; from < startedAt + 50 * MINUTE; from += MINUTE) {
        const within = hub.takeovers.filter((at) => at > from && at <= from + PRESENCE.flapWindowMs)
        expect(within.length).toBeGreaterThanOrEqual(PRESENCE.flapChanges)
      }
      expect(hub.refused()).toBe(0)

      first.stop()
      await clock.advance(AGENT.takeoverRetryMaxMs * 1.2)
      const { length } = hub.takeovers
      await clock.advance(60 * MINUTE)
      expect([second.isUp, hub.takeovers.length]).toEqual([true, length])
    },
  )
})
