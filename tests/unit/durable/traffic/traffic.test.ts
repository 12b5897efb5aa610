import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packHour, unpackHour } from '#durable/router-hub/traffic/traffic-packing.ts'
import { hourOf } from '#durable/router-hub/traffic/series-time.ts'
import { addPoints, admitCounters, intervalBetween, toRates } from '#durable/router-hub/traffic/traffic-rates.ts'
import { type Reading, linkName, toReading } from '#durable/router-hub/traffic/traffic-reading.ts'
import { type Hours, addVolumes, mergeHour, toWindow } from '#durable/router-hub/traffic/traffic-slots.ts'

const reading = (atMs: number, rx: number, tx: number, bootId = 'b'): Reading => ({
  bootId,
  atMs,
  counters: { eth0: { rx, tx } },
})
const rates = (last: Reading | null, next: Reading, sinceMs: number | null = null) => {
  const interval = intervalBetween(last, next, sinceMs)
  return interval && toRates(interval, 5_000)
}

describe('rates', () => {
  it.each([
    ['bits per second', reading(0, 0, 0), reading(2000, 1000, 500), { eth0: { down: 4000, upload: 2000, time: 5000 } }],
    ['the first reading', null, reading(0, 9, 9), {}],
    ['a reboot is no spike', reading(0, 9e12, 9), reading(1000, 5, 5, 'c'), {}],
    ['a counter that fell', reading(0, 9e12, 9), reading(1000, 5, 50), {}],
    ['the clock of the agent ran back', reading(5000, 0, 0), reading(1000, 5, 5), {}],
    ['too soon after the last reading', reading(0, 0, 0), reading(100, 1e9, 0), null],
    [
      'a pause shows its average',
      reading(0, 0, 0),
      reading(10_000, 10_000, 0),
      { eth0: { down: 8000, upload: 0, time: 5000 } },
    ],
  ] as const)('%s', (_, last, next, expected) => {
    expect(rates(last, next)).toEqual(expected)
  })

  it.each([
    ['a device that counts time faster than the hub', 900, { eth0: { down: 4000, upload: 0, time: 5000 } }],
    ['a frame that was late', 4000, { eth0: { down: 2000, upload: 0, time: 5000 } }],
    ['frames faster than the floor, by the hub’s clock', 100, null],
  ])('%s makes no rate higher', (_, sinceMs, expected) => {
    expect(rates(reading(0, 0, 0), reading(2000, 1000, 0), sinceMs)).toEqual(expected)
  })

  it.each([
    ['a minute ahead', 61_000, 1_000, true],
    ['further ahead', 61_001, 1_000, false],
    ['two hours ahead', 7_200_000, 1_000, false],
    ['not ahead after a long silence', 7_200_000, 7_200_000, true],
    ['compared with no time of the hub', 7_200_000, null, true],
  ])('of a device whose clock is %s', (_, atMs, sinceMs, isCounted) => {
    const next = reading(atMs, 1_000, 0)
    const counted = { lengthMs: atMs, volumes: { eth0: { rx: 1_000, tx: 0 } } }
    const gap = { lengthMs: 0, volumes: {} }
    expect(intervalBetween(reading(0, 0, 0), next, sinceMs)).toEqual({ reading: next, ...(isCounted ? counted : gap) })
  })

  it('a counter that jumps is a reset', () => {
    expect(rates(reading(0, 5, 5), reading(1000, 2 ** 53 - 1, 6))).toEqual({})
  })

  it('are kept for the first 64 names of a day only', () => {
    const counters = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`e${from + i}`, { rx: 1, tx: 1 }]))
    const first = admitCounters(null, counters(0, 60), 5)
    const more = admitCounters(first.known, counters(50, 60), 6)
    expect(Object.keys(more.counters)).toEqual(Array.from({ length: 14 }, (_, i) => `e${50 + i}`))
    expect(admitCounters(more.known, counters(0, 3), 7).known).toBe(more.known)
    expect(Object.keys(admitCounters(more.known, counters(500, 3), 86_400_000).counters)).toHaveLength(3)
  })

  it('of links are kept under names of their own, whatever the number of interfaces', () => {
    const named = (name: (i: number) => string) =>
      Object.fromEntries(Array.from({ length: 70 }, (_, i) => [name(i), { rx: 1, tx: 1 }]))
    const { counters } = admitCounters(null, { ...named((i) => `e${i}`), ...named((i) => linkName(`N1:P${i}>A`)) }, 5)
    expect(Object.keys(counters).filter((name) => name.startsWith('e'))).toHaveLength(64)
    expect(Object.keys(counters)).toHaveLength(128)
  })

  it('is never negative, infinite or above the counters', () => {
    const any = fc.record({
      bootId: fc.constantFrom('a', 'b'),
      atMs: fc.integer({ min: 0, max: 1e7 }),
      counters: fc.dictionary(fc.constantFrom('eth0', 'eth1'), fc.record({ rx: fc.maxSafeNat(), tx: fc.maxSafeNat() })),
    })
    fc.assert(
      fc.property(any, any, (last, next) => {
        for (const { down, upload } of Object.values(rates(last, next) ?? {})) {
          for (const rate of [down, upload]) expect(rate >= 0 && Number.isFinite(rate)).toBe(true)
        }
      }),
    )
  })

  it('keeps the last forty points of each interface', () => {
    let window = {}
    for (let time = 0; time < 45; time++) window = addPoints(window, { eth0: { down: 1, upload: 2, time } })
    expect((window as { eth0: { time: number }[] }).eth0.map((p) => p.time)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 5),
    )
  })
})

describe('volumes of links', () => {
  const LINK = 'N1:NL-P1>NL-A'
  const BOOT = 1_000_000
  type Sample = [atMs: number, bytes: number, ageMs: number, bootId?: string]
  const readingOf = ([atMs, bytes, ageMs, bootId = 'b']: Sample) =>
    toReading({
      t: 'counters',
      boot_id: bootId,
      at: BOOT + atMs,
      applied: null,
      interfaces: { eth0: { rx: 5 * atMs, tx: 0 } },
      links: { [LINK]: { rx: bytes, tx: 2 * bytes, since_s: ageMs / 1_000 } },
    })
  const withoutLink = (atMs: number) =>
    toReading({
      t: 'counters',
      boot_id: 'b',
      at: BOOT + atMs,
      applied: null,
      interfaces: { eth0: { rx: 5 * atMs, tx: 0 } },
    })

  it.each<[string, Reading, Sample, number | null]>([
    ['of a tunnel that stands: the difference', readingOf([0, 700, 60_000]), [300_000, 900, 360_000], 200],
    ['of one that came up since: all of it', readingOf([0, 700, 60_000]), [300_000, 900, 40_000], 900],
    ['of one that came up since and has counted less', readingOf([0, 700, 60_000]), [300_000, 300, 40_000], 300],
    ['of a link that was not there and came up since', withoutLink(0), [300_000, 900, 40_000], 900],
    [
      'of a link that was not there and is older: an agent that reported none',
      withoutLink(0),
      [300_000, 900, 400_000],
      null,
    ],
    ['whose age is sent a little late', readingOf([0, 700, 59_200]), [1_000, 900, 60_900], 200],
    ['of a tunnel that was up for a moment at the last reading', readingOf([0, 700, 300]), [1_000, 900, 1_300], 200],
    ['whose counter fell in a tunnel that stands', readingOf([0, 700, 60_000]), [300_000, 300, 360_000], null],
    [
      'of a tunnel that came up before the last reading, by another age',
      readingOf([0, 700, 60_000]),
      [300_000, 900, 310_000],
      null,
    ],
    ['after a reboot', readingOf([0, 700, 60_000]), [300_000, 900, 40_000, 'c'], null],
    ['above any line, since it came up', readingOf([0, 0, 60_000]), [1_000, 2e11, 500], null],
  ])('%s', (_, last, next, expected) => {
    const { volumes } = intervalBetween(last, readingOf(next), null)!
    expect(volumes[linkName(LINK)]).toEqual(expected === null ? undefined : { rx: expected, tx: 2 * expected })
    expect(volumes['eth0']?.rx).toBe(next[3] === 'c' ? undefined : 5 * next[0])
  })

  it('of a link that is gone, or of an older agent, are none', () => {
    expect(Object.keys(intervalBetween(readingOf([0, 700, 60_000]), withoutLink(1_000), null)!.volumes)).toEqual([
      'eth0',
    ])
  })

  it('have no rates', () => {
    const interval = intervalBetween(readingOf([0, 700, 60_000]), readingOf([1_000, 900, 61_000]), null)!
    expect(Object.keys(toRates(interval, 5_000))).toEqual(['eth0'])
  })

  it('cannot be reported as those of an interface', () => {
    const frame = { t: 'counters', boot_id: 'b', at: 0, applied: null } as const
    const interfaces = { eth0: { rx: 1, tx: 1 }, [linkName('N1:P>A')]: { rx: 9, tx: 9 } }
    expect(Object.keys(toReading({ ...frame, interfaces }).counters)).toEqual(['eth0'])
  })
})

const HOUR = 3_600_000
const T0 = 500_000 * HOUR
const interval = (lengthMs: number, rx: number, tx = 0) => ({
  reading: reading(0, 0, 0),
  lengthMs,
  volumes: { eth0: { rx, tx } },
})
const sum = (hours: Hours) =>
  Object.values(hours)
    .flatMap((slots) => slots['eth0'] ?? [])
    .reduce((all, slot) => all + slot.rx, 0)

describe('series', () => {
  it('gathers a minute of streaming into one slot', () => {
    let hours: Hours = {}
    for (let s = 1; s <= 60; s++) hours = addVolumes(hours, interval(1000, 10, 1), T0 + s * 1000)
    expect(hours).toEqual({ [hourOf(T0)]: { eth0: [{ minute: 0, span: 1, rx: 600, tx: 60 }] } })
  })

  it('keeps a summary as one slot of five minutes', () => {
    expect(addVolumes({}, interval(300_000, 1000), T0 + 570_000)).toEqual({
      [hourOf(T0)]: { eth0: [{ minute: 9, span: 5, rx: 1000, tx: 0 }] },
    })
  })

  it('shares an interval over a full hour out by time', () => {
    const hours = addVolumes({}, interval(300_000, 1000), T0 + 60_000)
    expect(hours[hourOf(T0) - 1]).toEqual({ eth0: [{ minute: 59, span: 4, rx: 800, tx: 0 }] })
    expect(hours[hourOf(T0)]).toEqual({ eth0: [{ minute: 0, span: 1, rx: 200, tx: 0 }] })
  })

  it('treats a long silence as a gap', () => {
    expect(addVolumes({}, interval(3 * HOUR, 1000), T0)).toEqual({})
  })

  it('loses no byte, however intervals fall, are packed and merged', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 500, max: 2 * HOUR }), fc.nat(1e12)), { maxLength: 30 })
    fc.assert(
      fc.property(steps, fc.nat(HOUR), (script, offset) => {
        let now = T0 + offset
        let kept: Hours = {}
        let open: Hours = {}
        let total = 0
        for (const [length, rx] of script) {
          now += length
          total += rx
          open = addVolumes(open, interval(length, rx), now)
          if (rx % 3 === 0) {
            for (const [hour, slots] of Object.entries(open)) {
              const merged = mergeHour(kept[Number(hour)] ?? {}, slots)
              kept = { ...kept, [hour]: unpackHour(packHour(merged)).slots }
            }
            open = {}
          }
        }
        expect(sum(kept) + sum(open)).toBe(total)
        for (const slots of Object.values({ ...kept, ...open })) {
          const minutes = (slots['eth0'] ?? []).map((slot) => slot.minute)
          expect(minutes).toEqual([...new Set(minutes)].toSorted((a, b) => a - b))
          expect(minutes.every((minute) => minute >= 0 && minute <= 59)).toBe(true)
        }
      }),
    )
  })

  it('packs an idle hour of four interfaces into half a kilobyte', () => {
    const slots = Array.from({ length: 12 }, (_, i) => ({ minute: i * 5 + 4, span: 5, rx: 123_456, tx: 65_432 }))
    expect(packHour({ eth0: slots, eth1: slots, lan0: slots, lan1: slots }).length).toBeLessThan(512)
  })

  it('refuses truncated bytes', () => {
    const bytes = packHour({ eth0: [{ minute: 1, span: 1, rx: 300, tx: 300 }] })
    expect(() => unpackHour(bytes.subarray(0, bytes.length - 1))).toThrow('cut short')
  })

  it('shows a new viewer stored rates where the live window is empty', () => {
    const hour = hourOf(T0)
    expect(toWindow([[hour, { eth0: [{ minute: 4, span: 5, rx: 37_500, tx: 0 }] }]], T0 + 300_000)).toEqual({
      eth0: [{ down: 1000, upload: 0, time: T0 + 300_000 }],
    })
  })

  it('shows no rate of a minute that has not ended: samples to come would be older', () => {
    const slots = [4, 5].map((minute) => ({ minute, span: 1, rx: 7_500, tx: 0 }))
    const window = toWindow([[hourOf(T0), { eth0: slots }]], T0 + 359_999)
    expect(window['eth0']?.map(({ time }) => time)).toEqual([T0 + 300_000])
  })
})
