import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { createDeviceKey, publicPart } from '#infra/agent/hub/identity.ts'
import { systemClock } from '#infra/agent/clock.ts'
import type { SocketEvents } from '#infra/agent/agent-socket.ts'
import { faults, faultySocket } from '#infra/simulator/faults.ts'
import { startFleet } from '#infra/simulator/fleet.ts'
import { bitsPerSecond, bytesBetween, dayCurve } from '#infra/simulator/traffic.ts'
import { virtualMachine } from '#infra/simulator/virtual-device.ts'
import { virtualLinkCounters } from '#infra/simulator/virtual-links.ts'
import { FakeClock } from './support/fake-clock.ts'
import { FakeHub } from './support/fake-hub.ts'
import { access, point, pointNetwork } from './support/tunnel-parts.ts'

const WEDNESDAY = Date.UTC(2026, 10, 18) - 8 * 3_600_000 // midnight in China
const hour = (h: number) => WEDNESDAY + h * 3_600_000

describe('synthetic traffic', () => {
  const profile = fc.record({
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    peakMbps: fc.double({ min: 0.1, max: 10_000, noNaN: true }),
  })
  const moment = fc.integer({ min: WEDNESDAY, max: WEDNESDAY + 30 * 86_400_000 })

  it('stays above zero and below its peak, and is deterministic', () => {
    fc.assert(
      fc.property(profile, fc.constantFrom('down' as const, 'up' as const), moment, (p, direction, at) => {
        const bits = bitsPerSecond(p, direction, at)
        expect(bits).toBeGreaterThan(0)
        expect(bits).toBeLessThanOrEqual(p.peakMbps * 1e6)
        expect(bitsPerSecond(p, direction, at)).toBe(bits)
      }),
    )
  })

  it('is additive: two halves of a span carry as much as the whole', () => {
    fc.assert(
      fc.property(profile, moment, fc.integer({ min: 10_000, max: 290_000 }), (p, from, ms) => {
        const whole = bytesBetween(p, 'down', from, from + ms)
        const halves = bytesBetween(p, 'down', from, from + ms / 2) + bytesBetween(p, 'down', from + ms / 2, from + ms)
        expect(halves / whole).toBeCloseTo(1, 6)
      }),
    )
  })

  it('follows office hours and weekends', () => {
    expect(dayCurve(hour(10.5))).toBeGreaterThan(0.95)
    expect(dayCurve(hour(3))).toBeLessThan(0.06)
    expect(dayCurve(hour(10.5) + 3 * 86_400_000)).toBeLessThan(0.4)
  })

  it('gives monotonic counters; the WAN carries what the LANs do', async () => {
    const clock = new FakeClock()
    const machine = virtualMachine(
      { serial: 'S', model: 'M', lan: ['10.1.0.0/24', '10.2.0.0/24'], peakMbps: 20 },
      clock,
    )
    await clock.advance(60_000)
    const first = await machine.counters()
    await clock.advance(1_000)
    const second = await machine.counters()
    for (const name of ['eth0', 'lan0', 'lan1']) {
      expect(second[name]!.rx).toBeGreaterThan(first[name]!.rx)
      expect(second[name]!.tx).toBeGreaterThan(first[name]!.tx)
    }
    expect(second['lan0']!.tx + second['lan1']!.tx).toBeCloseTo(second['eth0']!.rx, -1)
  })

  it('gives counters of the links that the device dials, from the moment at which its document names them', async () => {
    const clock = new FakeClock()
    let document: RouterDocument | null = null
    const read = virtualLinkCounters({ seed: 1, peakMbps: 20 }, clock, () => document)
    await clock.advance(60_000)
    expect(await read()).toEqual({})
    const end = access('N1', 1, 'A')
    document = point(pointNetwork({}, [end.client, { ...end.server, id: 'N1:NL-P2>NL-P1' }]))
    expect(await read()).toEqual({ [end.client.id]: { rx: 0, tx: 0, since_s: 0 } })
    await clock.advance(5_000)
    const { [end.client.id]: first } = await read()
    expect(first!.since_s).toBe(5)
    expect(Math.min(first!.rx, first!.tx)).toBeGreaterThan(0)
    await clock.advance(5_000)
    expect((await read())[end.client.id]!.rx).toBeGreaterThan(first!.rx)
    document = null
    expect(await read()).toEqual({})
    document = point(pointNetwork())
    expect((await read())[end.client.id]).toEqual({ rx: 0, tx: 0, since_s: 0 })
  })
})

describe('faults', () => {
  const inner = () => {
    const sent: string[] = []
    let events!: SocketEvents
    let closed = 0
    const open = (_: string, __: object, e: SocketEvents) => {
      events = e
      return { send: (text: string) => sent.push(text), close: () => (closed += 1), bufferedAmount: () => 0 }
    }
    return { open, sent, events: () => events, closed: () => closed }
  }
  const listener = () => {
    const log: string[] = []
    const events: SocketEvents = {
      opened: () => log.push('opened'),
      message: (text) => log.push(text),
      closed: (code) => log.push(`closed ${code}`),
    }
    return { log, events }
  }

  it('flap: the connection ends without a close frame', async () => {
    const clock = new FakeClock()
    const [line, received] = [inner(), listener()]
    faultySocket(line.open, faults.parse({ flapEveryMs: 10_000 }), clock, () => 0.5)('', {}, received.events)
    line.events().opened()
    await clock.advance(10_001)
    expect([received.log, line.closed()]).toEqual([['opened', 'closed 1006'], 1])
  })

  it('freeze: frames stop in both directions, then pass again', async () => {
    const clock = new FakeClock()
    const [line, received] = [inner(), listener()]
    const socket = faultySocket(
      line.open,
      faults.parse({ freezeEveryMs: 1_000, freezeForMs: 5_000 }),
      clock,
      () => 0.5,
    )('', {}, received.events)
    line.events().opened()
    await clock.advance(1_001)
    socket.send('a')
    line.events().message('b')
    await clock.advance(5_000)
    socket.send('c')
    line.events().message('d')
    expect([line.sent, received.log]).toEqual([['c'], ['opened', 'd']])
  })

  it('drop: loses the configured share of frames', () => {
    const [line, received] = [inner(), listener()]
    let n = 0
    const socket = faultySocket(
      line.open,
      faults.parse({ dropRate: 0.25 }),
      systemClock,
      () => (n++ % 4) / 4,
    )('', {}, received.events)
    for (let i = 0; i < 100; i++) socket.send(String(i))
    expect(line.sent).toHaveLength(75)
  })
})

describe('a fleet', () => {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  it('connects every device, by code or by key, and stops all of them', async () => {
    const serials = Array.from({ length: 40 }, (_, i) => `NL-${i}`)
    const hub = await new FakeHub({ codes: Object.fromEntries(serials.map((s) => [s, `C-${s}`])) }).start()
    closers.push(() => hub.stop())
    const key = await createDeviceKey()
    hub.keys.set('NL-KEY', publicPart(key))
    const fleet = await startFleet({
      server: hub.url,
      devices: [
        ...serials.map((serial, i) => ({ serial, code: `C-${serial}`, lan: [`10.${i}.0.0/24`] })),
        { serial: 'NL-KEY', key },
      ],
    })
    await expect.poll(() => fleet.agents.filter(({ agent }) => agent.isUp).length).toBe(41)
    const hellos = hub.devices.flatMap((device) => device.ofType('hello'))
    expect(new Set(hellos.map((h) => h.serial)).size).toBe(41)
    expect(hellos.find((h) => h.serial === 'NL-7')!.interfaces.find((i) => i.role === 'lan')).toMatchObject({
      ip: '10.7.0.1',
    })
    expect(new Set(hellos.map((h) => h.mac)).size).toBe(41)
    expect(new Set(hellos.map((h) => h.probe_port)).size).toBe(1)
    await fleet.stop()
    await expect.poll(() => hub.devices.every((device) => device.socket.readyState === device.socket.CLOSED)).toBe(true)
  })

  it('answers probes on the same port after a restart, so that no document changes', async () => {
    const hub = await new FakeHub({ codes: { 'NL-1': 'C' } }).start()
    const state = await mkdtemp(join(tmpdir(), 'netloom-fleet-'))
    closers.push(
      () => hub.stop(),
      () => rm(state, { recursive: true }),
    )
    for (let run = 1; run <= 2; run++) {
      const fleet = await startFleet({ server: hub.url, devices: [{ serial: 'NL-1', code: 'C' }], state })
      await expect.poll(() => hub.devices.flatMap((device) => device.ofType('hello')).length).toBe(run)
      await fleet.stop()
    }
    const ports = hub.devices.flatMap((device) => device.ofType('hello').map((hello) => hello.probe_port))
    expect(ports[0]).toBeGreaterThan(0)
    expect(ports[1]).toBe(ports[0])
  })
})
