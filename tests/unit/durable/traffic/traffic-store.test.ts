import { serialize } from 'node:v8'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { LINK_ID_MAX } from '#contract/device/limits.ts'
import { SERIES, TRAFFIC_RANGES } from '#contract/kernel/hub-limits.ts'
import { COUNTED_LINKS } from '#contract/device/counters.ts'
import { packDay, packHour, unpackDay, unpackHour } from '#durable/router-hub/traffic/traffic-packing.ts'
import { type PackedPending, TrafficStore } from '#durable/router-hub/traffic/traffic-store.ts'
import { hourOf } from '#durable/router-hub/traffic/series-time.ts'
import { type Reading, linkName } from '#durable/router-hub/traffic/traffic-reading.ts'
import { FakeStorage } from '../fake-storage.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const T0 = 20_000 * DAY

/** Bytes of all rows, by interface and link. */
function storedVolumes(): Record<string, { rx: number; tx: number }> {
  const sums: Record<string, { rx: number; tx: number }> = {}
  for (const { body } of storedHours()) {
    for (const [name, slots] of Object.entries(unpackHour(body).slots)) {
      for (const { rx, tx } of slots) {
        const { rx: allRx, tx: allTx } = sums[name] ?? { rx: 0, tx: 0 }
        sums[name] = { rx: allRx + rx, tx: allTx + tx }
      }
    }
  }
  return sums
}

let storage: FakeStorage
beforeEach(() => (storage = new FakeStorage()))
const storedHours = () => storage.rows<{ hour: number; body: Uint8Array }>('SELECT hour, body FROM hours ORDER BY hour')
const open = (packed: PackedPending | null = null) =>
  new TrafficStore(storage as unknown as DurableObjectStorage, packed)
const readingOf = (atMs: number, rx: number, bootId = 'b'): Reading => ({
  bootId,
  atMs,
  counters: { eth0: { rx, tx: 0 } },
})

const LINK = linkName('N1:NL-P1>NL-A')

type Step = [ms: number, rx: number, tx: number] | (typeof EVENTS)[number]
const EVENTS = ['crash', 'hibernate', 'reconnect', 'reboot', 'interface', 'tunnel', 'tunnel ends'] as const
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.integer({ min: 500, max: 30 * MINUTE }), fc.nat(6e10), fc.nat(1e9)) },
  { weight: 3, arbitrary: fc.constantFrom<Step>(...EVENTS) },
)

/**
 * A hub and its device. What the hub has to count is what the device counted between two readings with the same boot id, of
 * a link from the moment at which its tunnel came up.
 */
class Run {
  readonly counted: Record<string, { rx: number; tx: number }> = {}
  /** Names in the live window. */
  readonly shown = new Set<string>()
  now = T0 + 7 * MINUTE
  private store = open()
  private attachment: PackedPending | null = null
  private boots = 0
  private interfaces = 0
  private counters: Record<string, { rx: number; tx: number; beganMs?: number }> = { eth0: { rx: 5, tx: 5 } }
  private known: ReadonlySet<string> = new Set()

  run(what: Step): void {
    switch (what) {
      case 'crash':
        this.attachment = null
        this.store = open()
        return
      case 'hibernate':
        this.store = open(structuredClone(this.attachment))
        return
      case 'reconnect':
        this.store.flush(this.now)
        this.attachment = null
        return
      case 'reboot':
        this.count(500, 0, 0) // a crash between the last counters and the reboot loses what the counters held
        this.boots += 1
        this.counters = { eth0: { rx: 0, tx: 0 } }
        this.known = new Set()
        this.count(500, 0, 0)
        return
      case 'interface':
        this.interfaces += 1
        this.counters = { ...this.counters, [`eth${this.interfaces}`]: { rx: 9, tx: 9 } }
        return
      case 'tunnel': // as with a reboot, a crash between the counters around it loses what they held
        this.count(500, 0, 0)
        this.now += 1_500
        this.counters = { ...this.counters, [LINK]: { rx: 0, tx: 0, beganMs: this.now - T0 } }
        this.known = new Set([...this.known, LINK])
        this.count(500, 7, 8)
        return
      case 'tunnel ends': {
        this.count(500, 0, 0)
        const { [LINK]: _, ...rest } = this.counters
        this.counters = rest
        this.count(500, 0, 0)
        return
      }
      default:
        this.count(...what)
    }
  }

  /** Volumes lost in a crash are recovered from the next counters. */
  end(): void {
    this.count(500, 0, 0)
    this.store.flush(this.now)
  }

  private count(ms: number, rx: number, tx: number): void {
    this.now += ms
    for (const [name, before] of Object.entries(this.counters)) {
      this.counters = { ...this.counters, [name]: { ...before, rx: before.rx + rx, tx: before.tx + tx } }
      const sum = this.counted[name] ?? { rx: 0, tx: 0 }
      if (this.known.has(name)) this.counted[name] = { rx: sum.rx + rx, tx: sum.tx + tx }
    }
    this.known = new Set(Object.keys(this.counters))
    const reading = { bootId: String(this.boots), atMs: this.now - T0, counters: this.counters }
    const rates = this.store.add(reading, this.now, (packed) => (this.attachment = structuredClone(packed)))
    for (const shown of [rates ?? {}, this.store.latest(this.now), this.store.history(this.now)])
      Object.keys(shown).forEach((name) => this.shown.add(name))
  }
}

describe('stored traffic', () => {
  it('loses no byte and counts none twice, wherever the hub crashes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (script) => {
        storage = new FakeStorage()
        const run = new Run()
        for (const what of script) run.run(what)
        run.end()
        expect(storedVolumes()).toEqual(run.counted)
        expect([...run.shown]).not.toContain(LINK)
      }),
      { numRuns: 1_000, examples: [[['tunnel', [500, 0, 1], 'tunnel', 'crash']]] },
    )
  })

  it('of an idle day is a row an hour, and at midnight three rows of older days', () => {
    const store = open()
    const midnight = T0 + 16 * HOUR // in Asia/Shanghai
    const today = Math.floor((midnight + 8 * HOUR) / DAY)
    for (let hour = 0; hour < 24; hour++) {
      const row = [
        hourOf(midnight) - 2 * 24 + hour,
        packHour({ eth0: [{ minute: 4, span: 5, rx: 9, tx: 9 }] }),
      ] as const
      storage.sql.exec('INSERT INTO hours (hour, body) VALUES (?, ?)', ...row)
    }
    const bucket = { hour: 7, minutes: 5, rx: 9, tx: 9, rxPeak: 9, txPeak: 9 }
    for (const [age, byHour] of [
      [30, 1],
      [180, 0],
    ] as const) {
      const row = [today - age, byHour, packDay({ eth0: [bucket] })] as const
      storage.sql.exec('INSERT INTO days (day, by_hour, body) VALUES (?, ?, ?)', ...row)
    }
    let pending: PackedPending | null = null
    const withLink = (now: number): Reading => {
      const { counters, ...reading } = readingOf(now, now)
      return { ...reading, counters: { ...counters, [LINK]: { rx: now, tx: 0, beganMs: 0 } } }
    }
    const report = (now: number) => store.add(withLink(now), now, (kept) => (pending = kept))
    for (let now = midnight + MINUTE; now < midnight + HOUR; now += 5 * MINUTE) report(now)
    storage.writes.length = 0
    for (let now = midnight + HOUR + MINUTE; now < midnight + DAY + HOUR; now += 5 * MINUTE) report(now)
    const written = (what: string) => storage.writes.filter((write) => write === what).length
    expect([written('INSERT'), written('UPDATE'), written('DELETE')]).toEqual([24 + 2, 0, 1])
    expect(storage.writes).toHaveLength(28) // and the names of the day
    expect(Object.keys(pending!.hours)).toEqual([String(hourOf(midnight + DAY))])
    const days = storage.rows<{ day: number; by_hour: number; body: Uint8Array }>('SELECT * FROM days ORDER BY day')
    expect(days.map(({ day, by_hour }) => [today - day, by_hour])).toEqual([
      [30, 0],
      [2, 1],
    ])
    expect(unpackDay(days[0]!.body)).toEqual({ eth0: [{ ...bucket, hour: 0 }] })
    expect(unpackDay(days[1]!.body)['eth0']).toHaveLength(24)
    storage.writes.length = 0
    for (let now = midnight + DAY + HOUR + MINUTE; now < midnight + 2 * DAY + HOUR; now += 5 * MINUTE) report(now)
    expect([written('INSERT'), written('UPDATE'), written('DELETE')]).toEqual([0, 24, 0]) // over the rows of the day before
  })

  it('is compared with the counters as they were when the last hour ended', () => {
    const store = open()
    store.add(readingOf(0, 0), T0 + 57 * MINUTE, () => {})
    store.add(readingOf(5 * MINUTE, 1000), T0 + 62 * MINUTE, () => {})
    const [row] = storedHours()
    expect(unpackHour(row!.body)).toEqual({
      slots: { eth0: [{ minute: 59, span: 3, rx: 600, tx: 0 }] },
      reading: readingOf(3 * MINUTE, 600),
    })
  })

  it('of an older release continues from the reading in its separate key', () => {
    open()
    const hour = hourOf(T0)
    // {eth0: [{ minute: 4, span: 5, rx: 300, tx: 7 }]} as that release packed it
    const body = Uint8Array.of(1, 4, 0x65, 0x74, 0x68, 0x30, 1, 4, 5, 0xac, 2, 7)
    storage.sql.exec('INSERT INTO hours (hour, body) VALUES (?, ?)', hour, body)
    storage.kv.put('reading', readingOf(5 * MINUTE, 1000))
    const store = open()
    expect(Object.keys(store.history(T0 + 10 * MINUTE))).toEqual(['eth0'])
    store.add(readingOf(10 * MINUTE, 1500), T0 + 10 * MINUTE, () => {})
    store.flush(T0 + 10 * MINUTE)
    expect(storedVolumes()).toEqual({ eth0: { rx: 800, tx: 7 } })
    expect(storage.kv.get('reading')).toBeUndefined()
    open().add(readingOf(15 * MINUTE, 1600), T0 + 15 * MINUTE, () => {})
    expect(unpackHour(storedHours()[0]!.body).reading).toEqual(readingOf(10 * MINUTE, 1500))
  })

  it('of a device whose clock runs ahead is no volume, and is written once a second', () => {
    let pending: PackedPending | null = null
    const keep = (kept: PackedPending) => void (pending = structuredClone(kept))
    const start = T0 + 7 * MINUTE
    let store = open()
    store.add(readingOf(0, 0), start, keep)
    storage.writes.length = 0
    for (let n = 1; n <= 120; n++) {
      if (n === 60) store = open(pending) // after hibernation
      store.add(readingOf(n * 2 * HOUR, n * 1e12), start + n * 500, keep)
    }
    store.flush(start + MINUTE)
    expect(storedVolumes()).toEqual({})
    expect(storage.writes.length).toBeLessThanOrEqual(60 + 2 * SERIES.gapsAtOnce)
    store.add(readingOf(240 * HOUR + 1_000, 120e12 + 700), start + MINUTE + 1_000, keep)
    store.flush(start + MINUTE + 1_000)
    expect(storedVolumes()).toEqual({ eth0: { rx: 700, tx: 0 } })
  })

  it('of links is rolled up as that of interfaces, and is in no read of these', () => {
    const store = open()
    const start = T0 + 16 * HOUR
    const end = start + 4 * DAY
    const report = (now: number) => {
      const atMs = now - start
      const counter = { rx: atMs, tx: 0 }
      store.add({ bootId: 'b', atMs, counters: { eth0: counter, [LINK]: { ...counter, beganMs: 0 } } }, now, () => {})
    }
    for (let now = start; now <= end; now += 5 * MINUTE) report(now)
    store.flush(end)
    const { [LINK]: ofLink, eth0 } = storedVolumes()
    expect(ofLink).toEqual(eth0)
    const days = storage.rows<{ body: Uint8Array }>('SELECT body FROM days').map(({ body }) => unpackDay(body))
    expect(days.map((buckets) => Object.keys(buckets))).toEqual([
      ['eth0', LINK],
      ['eth0', LINK],
    ])
    for (const range of TRAFFIC_RANGES) expect(Object.keys(store.series(range, end).data)).toEqual(['eth0'])
    expect(store.pieces([LINK], start, end)).toEqual([])
    expect(Object.keys(open().history(end))).toEqual(['eth0'])
  })

  it('of 64 interfaces and 16 links with the longest names fits into the attachment of a socket', () => {
    const names = (count: number, length: number, letter: string) =>
      Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, letter))
    const links = names(COUNTED_LINKS, LINK_ID_MAX, 'x').map(linkName)
    const counter = (at: number) => ({ rx: 2 ** 51 + at * 1e6 + 1, tx: 2 ** 51 + at * 1e6 + 3 })
    const probesAt = (at: number) => ({
      asked: 2 ** 39 + at / 1_000,
      lost: at / 2_000,
      rtt: 2 ** 40 + at,
      rttMax: 2 ** 19,
    })
    const readingAt = (at: number): Reading => ({
      bootId: 'f'.repeat(64),
      atMs: at + 0.5,
      counters: Object.fromEntries([
        ...names(64, 32, '网').map((name) => [name, counter(at)] as const),
        ...links.map((name) => [name, { ...counter(at), beganMs: 0.5, sums: probesAt(at) }] as const),
      ]),
    })
    const sizes: number[] = []
    const store = open()
    for (let at = 0; at < 20 * MINUTE; at += 20_000)
      store.add(readingAt(at), T0 + at, (pending) => {
        const attachment = { epoch: 2 ** 40, serial: 's'.repeat(64), lastReceivedAt: T0 + at, pending }
        sizes.push(serialize(attachment).length)
      })
    expect(Math.max(...sizes)).toBeLessThan(16_384)
    expect(Math.max(...sizes)).toBeGreaterThan(11_000)
    expect(storage.writes.length).toBeLessThan(10)
  })

  it.each([-5, 0.5, 2 ** 64, 1e300])('accepts a device clock of %d', (atMs) => {
    open().add(readingOf(atMs, 2 ** 64), T0, () => {})
    expect(unpackHour(storedHours()[0]!.body).reading).toEqual(readingOf(atMs, 2 ** 64))
  })
})
