import { describe, expect, it } from 'vitest'
import type { LinkCounters } from '#contract/device/counters.ts'
import { testMachine } from './support/agents.ts'
import { configFrame } from './support/fake-hub.ts'
import { network, routerDocument } from './support/documents.ts'
import { flushPromises } from './support/fake-clock.ts'
import { createHarness } from './support/timed-agent.ts'

const HOUR = 3_600_000

describe('the heartbeat', () => {
  it.each([
    [0, 20_000],
    [0.5, 25_000],
    [0.999_999, 30_000],
  ])('with a draw of %d comes every %i ms', async (random, everyMs) => {
    const { clock, sockets } = await createHarness({ random })
    await clock.advance(everyMs + 10)
    const { pings } = sockets.last
    await clock.advance(everyMs * 4)
    expect(sockets.last.pings - pings).toBe(4)
  })

  it('holds a healthy connection for days', async () => {
    const { clock, sockets, agent } = await createHarness()
    await clock.advance(48 * HOUR)
    expect([agent.isUp, sockets.all.length]).toEqual([true, 1])
  })

  it.each([0, 0.5, 0.999])('gives up after exactly one lease without a word, not earlier (draw %d)', async (random) => {
    const { clock, sockets, agent } = await createHarness({ random })
    sockets.last.answersPings = false
    await clock.advance(74_900)
    expect(agent.isUp).toBe(true)
    await clock.advance(200)
    expect([agent.isUp, sockets.all[0]!.closedWith]).toEqual([false, 4005])
    await clock.advance(2_000)
    await expect.poll(() => sockets.all.length).toBe(2)
  })

  it('gives up after one lease without a pong, although the hub goes on sending: the line is cut in one direction', async () => {
    const { clock, sockets, emitFrame } = await createHarness()
    const socket = sockets.last
    socket.answersPings = false
    for (let seconds = 0; seconds < 75; seconds += 5) {
      expect(socket.closedWith).toBeNull()
      await emitFrame({ t: 'stream', on: true, rate_ms: 60_000, lease_s: 30 })
      await clock.advance(5_000)
    }
    await clock.advance(100)
    expect(socket.closedWith).toBe(4005)
  })

  it('ignores events of an abandoned socket', async () => {
    const { clock, sockets, agent, welcome } = await createHarness()
    const [halfOpen] = sockets.all
    halfOpen!.answersPings = false
    await clock.advance(77_100)
    await welcome()
    halfOpen!.events.message(JSON.stringify(configFrame(1, routerDocument(network('N1')))))
    halfOpen!.events.closed(4001, 'superseded')
    await flushPromises()
    expect([agent.isUp, agent.applied]).toEqual([true, null])
  })

  it('is impatient while a document waits for its proof: a dead line is left after 15 s', async () => {
    const { clock, sockets, agent, emitFrame, welcome } = await createHarness()
    sockets.last.answersPings = false
    await emitFrame(configFrame(1, routerDocument(network('N1'))))
    await clock.advance(15_100)
    expect(sockets.all[0]!.closedWith).toBe(4005)
    await clock.advance(2_000)
    await welcome()
    await clock.advance(200_000)
    expect(agent.applied?.networks).toHaveLength(1)
    expect(sockets.last.ofType('config_result').map((r) => 'state' in r && r.state)).toEqual(['confirmed'])
  })

  it('a pong to an earlier ping proves nothing about a document applied after it', async () => {
    const { clock, sockets, agent, emitFrame } = await createHarness()
    const socket = sockets.last
    socket.answersPings = false
    await clock.advance(26_000) // one ping is out
    await emitFrame(configFrame(1, routerDocument(network('N1')), 10))
    socket.events.message('pong') // and answered late
    await flushPromises()
    expect(socket.ofType('config_result').map((r) => 'state' in r && r.state)).toEqual(['received', 'applied'])
    await clock.advance(10_100)
    expect(agent.applied).toBeNull()
  })
})

describe('counters', () => {
  it('are streamed at the requested rate while the lease runs or is renewed, then stop', async () => {
    const { clock, sockets, emitFrame } = await createHarness()
    const sent = () => sockets.last.ofType('counters')
    const { length } = sent()
    await emitFrame({ t: 'stream', on: true, rate_ms: 250, lease_s: 1 })
    await clock.advance(700)
    expect(sent()).toHaveLength(length + 3)
    await emitFrame({ t: 'stream', on: true, rate_ms: 250, lease_s: 1 })
    await clock.advance(1_600) // the renewed lease ends 1,700 ms after the first frame
    expect(sent()).toHaveLength(length + 7)
    await clock.advance(60_000)
    expect(sent()).toHaveLength(length + 7)
    const streamed = sent()
      .filter((frame) => frame.t === 'counters')
      .slice(length)
    expect(new Set(streamed.map((frame) => frame.boot_id)).size).toBe(1)
    const gaps = streamed.slice(1).map((frame, i) => frame.at - streamed[i]!.at)
    expect(gaps).toEqual(Array(6).fill(250))
    const received = streamed.map((frame) => frame.interfaces['eth0']!.rx)
    expect(received).toEqual([...new Set(received)].toSorted((a, b) => a - b))
  })

  it('of links go with those of the interfaces, and not without a link', async () => {
    let links: LinkCounters = { 'N1:NL-P>NL-C': { rx: 7, tx: 9, since_s: 1.5 } }
    const { clock, sockets } = await createHarness({ linkCounters: async () => links })
    const sent = () => sockets.last.ofType('counters').filter((frame) => frame.t === 'counters')
    expect(sent().map((frame) => frame.links)).toEqual([links])
    links = {}
    await clock.advance(301_000)
    expect(sent()).toHaveLength(2)
    expect(sent()[1]).not.toHaveProperty('links')
  })

  it('of trunks go while a stream asks for them, and with no summary', async () => {
    const trunks = { N1: { rx: 7, tx: 9, since_s: 1.5 } }
    const { clock, sockets, emitFrame } = await createHarness({ trunkCounters: async () => trunks })
    const sent = () => sockets.last.ofType('counters').filter((frame) => frame.t === 'counters')
    expect(sent()[0]).not.toHaveProperty('trunks')
    await emitFrame({ t: 'stream', on: true, rate_ms: 1_000, lease_s: 2, trunks: true })
    await clock.advance(1_000)
    expect(sent().at(-1)?.trunks).toEqual(trunks)
    await emitFrame({ t: 'stream', on: true, rate_ms: 1_000, lease_s: 2 })
    await clock.advance(1_000)
    expect(sent().at(-1)).not.toHaveProperty('trunks')
    await emitFrame({ t: 'stream', on: true, rate_ms: 1_000, lease_s: 2, trunks: true })
    await clock.advance(310_000)
    expect(sent().at(-1)).not.toHaveProperty('trunks')
  })

  it('stop at once when stopped', async () => {
    const { clock, sockets, emitFrame } = await createHarness()
    await emitFrame({ t: 'stream', on: true, rate_ms: 250, lease_s: 30 })
    await clock.advance(1_000)
    await emitFrame({ t: 'stream', on: false, rate_ms: 250, lease_s: 30 })
    const { length } = sockets.last.ofType('counters')
    await clock.advance(10_000)
    expect(sockets.last.ofType('counters')).toHaveLength(length)
  })

  it('go out once at the first connection, then every five minutes', async () => {
    const { clock, sockets } = await createHarness()
    expect(sockets.last.ofType('counters')).toHaveLength(1)
    await clock.advance(299_000)
    expect(sockets.last.ofType('counters')).toHaveLength(1)
    await clock.advance(HOUR)
    expect(sockets.last.ofType('counters').length).toBeGreaterThanOrEqual(12)
    expect(sockets.last.ofType('counters').length).toBeLessThanOrEqual(13)
  })

  it('are not sent again on every reconnect', async () => {
    const { clock, sockets, welcome } = await createHarness()
    sockets.last.events.closed(1006, '')
    await clock.advance(2_100)
    await welcome()
    await clock.advance(1_000)
    expect(sockets.last.ofType('counters')).toHaveLength(0)
  })

  it('skip a tick under back-pressure, and go on after', async () => {
    const { clock, sockets, emitFrame } = await createHarness()
    await emitFrame({ t: 'stream', on: true, rate_ms: 1_000, lease_s: 30 })
    await clock.advance(3_100)
    const { length } = sockets.last.ofType('counters')
    sockets.last.backlog = 1_000_000
    await clock.advance(5_000)
    expect(sockets.last.ofType('counters')).toHaveLength(length)
    sockets.last.backlog = 0
    await clock.advance(2_000)
    expect(sockets.last.ofType('counters')).toHaveLength(length + 2)
  })

  it('are limited to four a second, whatever rate is requested', async () => {
    const { clock, sockets, emitFrame } = await createHarness()
    await emitFrame({ t: 'stream', on: true, rate_ms: 1, lease_s: 10 })
    const { length } = sockets.last.ofType('counters')
    await clock.advance(4_990)
    expect(sockets.last.ofType('counters').length - length).toBeLessThanOrEqual(20)
  })

  it('go on after read errors of the machine', async () => {
    const real = testMachine()
    let broken = false
    const counters = () => (broken ? Promise.reject(new Error('gone')) : real.counters())
    const { clock, sockets, emitFrame } = await createHarness({ machine: { counters } })
    await emitFrame({ t: 'stream', on: true, rate_ms: 1_000, lease_s: 30 })
    broken = true
    await clock.advance(3_000)
    broken = false
    const { length } = sockets.last.ofType('counters')
    await clock.advance(3_000)
    expect(sockets.last.ofType('counters')).toHaveLength(length + 3)
  })
})

it('interfaces are reported when they change, within ten seconds, and only then', async () => {
  let mark = 'a'
  const { clock, sockets } = await createHarness({ machine: { fingerprint: async () => mark } })
  await clock.advance(60_000)
  expect(sockets.last.ofType('interfaces')).toHaveLength(0)
  mark = 'b'
  await clock.advance(10_000)
  expect(sockets.last.ofType('interfaces')).toHaveLength(1)
  await clock.advance(60_000)
  expect(sockets.last.ofType('interfaces')).toHaveLength(1)
})
