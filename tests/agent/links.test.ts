import { afterEach, expect, it } from 'vitest'
import { FRAME_MAX_BYTES } from '#contract/kernel/hub-limits.ts'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import { LinkReporter } from '#infra/agent/reports/link-reporter.ts'
import { isWithinRate } from '#durable/socket-guard.ts'
import { Prober } from '#infra/agent/probe/prober.ts'
import { linkId } from '#domain/network/members/links.ts'
import { atEnd, closeAll } from './support/agents.ts'
import { type TestLink, network, routerDocument } from './support/documents.ts'
import { FakeClock } from './support/fake-clock.ts'
import { configFrame } from './support/fake-hub.ts'
import type { FakeSocket } from './support/fake-socket.ts'
import { createHarness } from './support/timed-agent.ts'
import { NETWORK } from '#contract/network/limits.ts'

afterEach(closeAll)

const POINTS = 2_000

/** The centre of as many networks as a router may be in, each with as many points as a network may have. */
function createCenterDocument() {
  const links = (number: string) =>
    Array.from({ length: POINTS }, (_, n): TestLink => {
      const peer = `NL-${n}`
      const key = `${number}${n}`.padStart(64, '0')
      return { id: linkId(number, peer, 'NL-P'), peer, role: 'server', endpoint: null, key }
    })
  const numbers = Array.from({ length: NETWORK.perRouter }, (_, i) => `100000000${i}`)
  return routerDocument(...numbers.map((number) => network(number, links(number))))
}

/** Time passes in steps of 100 ms; each frame is counted as the hub counts it. False: the hub would close the socket. */
async function passes(socket: FakeSocket, clock: FakeClock, ms: number): Promise<boolean> {
  const counted = socket as unknown as WebSocket
  let seen = 0
  let isPassed = true
  for (let at = 0; at < ms; at += 100) {
    await clock.advance(100)
    const frames = socket.sent.slice(seen).filter((text) => text !== 'ping')
    seen = socket.sent.length
    for (const _ of frames) isPassed &&= isWithinRate(counted, clock.now())
  }
  return isPassed
}

const reported = (socket: FakeSocket) =>
  socket.ofType('links').flatMap((frame) => (frame.t === 'links' ? frame.links.map(({ id }) => id) : []))

it('16,000 links are reported over seconds, at their start and after each reconnect', async () => {
  const { clock, sockets, emitFrame, welcome } = await createHarness({
    openProber: async (own) => {
      const prober = await Prober.open(0, { clock: own })
      atEnd(() => prober.close())
      return prober
    },
  })
  const document = createCenterDocument()
  const ids = document.networks.flatMap(({ links }) => links.map(({ id }) => id))
  expect(ids).toHaveLength(16_000)
  await emitFrame(configFrame(1, document))
  expect(await passes(sockets.last, clock, 40_000)).toBe(true) // all are down after 15 s
  expect(new Set(reported(sockets.last))).toEqual(new Set(ids))

  sockets.last.events.closed(1006, '')
  await clock.advance(4_000)
  await welcome()
  expect(sockets.all).toHaveLength(2)
  expect(await passes(sockets.last, clock, 20_000)).toBe(true)
  expect(reported(sockets.last).toSorted()).toEqual(ids.toSorted())
  expect(sockets.last.closedWith).toBeNull()
})

it('a cut in the middle of a report leaves nothing of it for the next connection', async () => {
  const { clock, sockets, emitFrame, welcome } = await createHarness({
    openProber: async (own) => {
      const prober = await Prober.open(0, { clock: own })
      atEnd(() => prober.close())
      return prober
    },
  })
  await emitFrame(configFrame(1, createCenterDocument()))
  await clock.advance(17_000)
  sockets.last.events.closed(1006, '')
  const { length } = sockets.last.sent
  await clock.advance(4_000)
  await welcome()
  expect(sockets.all[0]!.sent).toHaveLength(length)
  await clock.advance(20_000)
  expect(reported(sockets.last)).toHaveLength(16_000)
})

it('links of tunnels with the longest texts fit into their frames', async () => {
  const clock = new FakeClock()
  const long = (n: number): LinkReport => ({
    id: `${'9'.repeat(32)}:${'a'.repeat(60)}${n}>${'b'.repeat(60)}`,
    up: false,
    rtt_ms: null,
    tunnel: { reason: '断'.repeat(64), cipher: 'C'.repeat(32), remote: '2001:db8::'.padEnd(64, '1'), loss: 1000 },
  })
  const links = Array.from({ length: 600 }, (_, n) => long(n))
  const frames: (readonly LinkReport[])[] = []
  const reporter = new LinkReporter({ clock, read: () => links, send: (frame) => frames.push(frame) })
  reporter.reportAll()
  await clock.advance(10_000)
  expect(frames.flat()).toEqual(links)
  const sizes = frames.map((frame) => Buffer.byteLength(JSON.stringify({ t: 'links', links: frame })))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(FRAME_MAX_BYTES)
  expect(Math.max(...sizes)).toBeGreaterThan(FRAME_MAX_BYTES / 2)
})
