import { describe, expect, it } from 'vitest'
import { FlowStore } from '#durable/router-hub/flows/flow-store.ts'
import { type FlowKind, REST } from '#durable/router-hub/flows/flow-buckets.ts'
import { toFlowSeries, toFlowTop } from '#durable/router-hub/flows/flow-views.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { endOfStep, hourOf, startOfDay, rangeSteps } from '#durable/router-hub/traffic/series-time.ts'
import { FLOWS } from '#contract/kernel/hub-limits.ts'
import { type FlowSlot, type FlowsFrame, flows } from '#contract/device/flows.ts'
import { repetitions } from '#tests/support/depth.ts'
import { createRandom } from '#tests/support/random.ts'
import { FakeStorage } from '../fake-storage.ts'

const DAY = 20_500
const START = startOfDay(DAY) + 7 * HOUR_MS

/** Counts of one device in five minutes. */
interface Counted {
  readonly at: number
  readonly name: Readonly<Record<FlowKind, string>>
  readonly up: number
  readonly down: number
}

/** A device: what it counted, and its hours as frames. It is off in some of its slots. */
class Device {
  readonly counted: Counted[] = []
  readonly bySlot = new Map<number, readonly Counted[]>()
  readonly watched = new Set<number>()
  private readonly random: () => number
  private readonly sources: number

  constructor(random: () => number, hours: number, sources = 200) {
    this.random = random
    this.sources = sources
    for (let at = START; at < START + hours * HOUR_MS; at += FLOWS.slotMs) {
      if (random() < 0.1) continue
      this.watched.add(at)
      for (let i = Math.floor(random() * 12); i > 0; i--) this.count(at)
    }
  }

  private count(at: number): void {
    const source = Math.floor(this.random() ** 2 * this.sources)
    const name = {
      apps: ['企业微信', '钉钉', '飞书', 'Zoom', 'DNS', REST, ...Array.from({ length: 20 }, (_, i) => `应用${i}`)][
        Math.floor(this.random() * 26)
      ]!,
      sources: `10.0.${source >> 7}.${source & 127}`,
    }
    const one = { at, name, up: Math.floor(this.random() * 1e7), down: Math.floor(this.random() * 1e9) }
    this.counted.push(one)
    this.bySlot.set(at, [...(this.bySlot.get(at) ?? []), one])
  }

  frames(hour: number, report: number, over = true): FlowsFrame[] {
    const starts = [...this.watched].filter((at) => hourOf(at) === hour)
    const slots = starts.map((at): FlowSlot => ({
      slot: (at % HOUR_MS) / FLOWS.slotMs,
      apps: this.volumes(at, 'apps'),
      sources: this.volumes(at, 'sources'),
    }))
    const parts = Math.max(1, Math.ceil(slots.length / FLOWS.slotsPerFrame))
    return Array.from({ length: parts }, (_, part) =>
      flows.parse({
        t: 'flows',
        hour,
        report,
        over,
        part,
        parts,
        slots: slots.slice(part * FLOWS.slotsPerFrame, (part + 1) * FLOWS.slotsPerFrame),
      }),
    )
  }

  private volumes(at: number, kind: FlowKind): FlowSlot[FlowKind] {
    const sums = new Map<string, [number, number]>()
    for (const one of this.bySlot.get(at) ?? []) {
      const [up, down] = sums.get(one.name[kind]) ?? [0, 0]
      sums.set(one.name[kind], [up + one.up, down + one.down])
    }
    return [...sums].map(([name, [up, down]]) => [name, up, down])
  }
}

/** Sums by name, computed apart from all that the hub does. */
function sumsOf(counted: readonly Counted[], kind: FlowKind): Map<string, { up: number; down: number }> {
  const sums = new Map<string, { up: number; down: number }>()
  for (const { name, up, down } of counted) {
    const known = sums.get(name[kind]) ?? { up: 0, down: 0 }
    sums.set(name[kind], { up: known.up + up, down: known.down + down })
  }
  return sums
}

function expectedTop(counted: readonly Counted[], kind: FlowKind) {
  const sums = [...sumsOf(counted, kind)]
  const named = sums
    .filter(([name]) => name !== REST)
    .toSorted(([a, x], [b, y]) => y.up + y.down - (x.up + x.down) || (a < b ? -1 : 1))
  const rest = [...named.slice(30), ...sums.filter(([name]) => name === REST)].map(([, volume]) => volume)
  const restUp = rest.reduce((sum, { up }) => sum + up, 0)
  const restDown = rest.reduce((sum, { down }) => sum + down, 0)
  const rows = named.slice(0, 30).map(([name, { up, down }]) => ({ name, input: up, out: down, total: up + down }))
  return restUp + restDown > 0
    ? [...rows, { name: REST, input: restUp, out: restDown, total: restUp + restDown }]
    : rows
}

const open = (storage: FakeStorage) => new FlowStore(storage as unknown as ConstructorParameters<typeof FlowStore>[0])

/** Sends all hours until each is acknowledged: frames are lost, come late or twice, and the hub is evicted between them. */
function deliver(device: Device, storage: FakeStorage, hours: number, random: () => number): FlowStore {
  let store = open(storage)
  const late: FlowsFrame[] = []
  const waiting = Array.from({ length: hours }, (_, i) => hourOf(START) + i)
  const now = () => START + hours * HOUR_MS + MINUTE_MS
  for (let round = 1; waiting.length > 0; round++) {
    const hour = waiting[0]!
    const acknowledged: number[] = []
    for (const frame of device.frames(hour, round)) {
      if (random() < 0.05) store = open(storage)
      const luck = random()
      if (luck < 0.1) continue
      if (luck < 0.2) late.push(frame)
      acknowledged.push(...store.add(frame, now()))
      if (luck > 0.9) acknowledged.push(...store.add(frame, now()))
    }
    if (late.length > 0 && random() < 0.5) store.add(late.shift()!, now())
    if (acknowledged.includes(hour)) waiting.shift()
    else if (random() < 0.3) waiting.push(waiting.shift()!)
  }
  for (const frame of late) store.add(frame, now())
  return open(storage)
}

describe('design 8 · two days of flows', () => {
  it('of 20 devices, with frames lost, late and repeated and hubs evicted: charts, tops and shares are exact', () => {
    for (let seed = 1; seed <= repetitions(20); seed++) {
      const random = createRandom(seed).next
      const [device, storage] = [new Device(random, 48), new FakeStorage()]
      const store = deliver(device, storage, 48, random)
      const to = START + 48 * HOUR_MS
      for (const kind of ['apps', 'sources'] as const) {
        for (const [from, end] of [
          [START, to],
          [START + 5 * HOUR_MS, START + 11 * HOUR_MS],
          [to - HOUR_MS, to],
        ] as const) {
          const within = device.counted.filter(({ at }) => at >= from && at < end)
          const top = toFlowTop(store.between(from, end, kind, DAY_MS).buckets, kind)
          expect(top.map(({ name, input, out, total }) => ({ name, input, out, total }))).toEqual(
            expectedTop(within, kind),
          )
          expect(top.reduce((sum, { share }) => sum + share, 0)).toBe(10_000)
          expectSeries(device, within, toSeriesOf(store, kind, from, end, to), kind)
        }
      }
    }
  })

  const toSeriesOf = (store: FlowStore, kind: FlowKind, from: number, end: number, now: number) => {
    const { stepMs, ...range } = rangeSteps(from, end, now)
    return {
      stepMs,
      series: toFlowSeries(store.between(range.from, range.to, kind, stepMs).buckets, kind, { stepMs }, now),
    }
  }

  function expectSeries(
    device: Device,
    within: readonly Counted[],
    { stepMs, series }: ReturnType<typeof toSeriesOf>,
    kind: FlowKind,
  ): void {
    expect(series.length).toBeLessThanOrEqual(11)
    const named = series.filter(({ name }) => name !== REST).map(({ name }) => name)
    const ofStep = Map.groupBy(within, ({ at }) => endOfStep(at, stepMs))
    const watched = Map.groupBy(device.watched, (at) => endOfStep(at, stepMs))
    const wrong: object[] = []
    for (const { name, points } of series) {
      for (const { time, input, out } of points) {
        const isOf = (one: Counted) => (name === REST ? !named.includes(one.name[kind]) : one.name[kind] === name)
        const own = (ofStep.get(time) ?? []).filter(isOf)
        const seconds = ((watched.get(time)?.length ?? 0) * FLOWS.slotMs) / 1000
        const rate = (of: (one: Counted) => number) =>
          Math.round((own.reduce((sum, one) => sum + of(one), 0) * 8) / seconds)
        if (input !== rate((one) => one.up) || out !== rate((one) => one.down)) wrong.push({ name, time })
      }
    }
    expect(wrong).toEqual([])
  }

  it('a gap has no point', () => {
    const storage = new FakeStorage()
    const store = open(storage)
    const hour = hourOf(START)
    const slot = (at: number): FlowSlot => ({ slot: at, apps: [['Zoom', 60, 600]], sources: [] })
    const frame = { t: 'flows', hour, report: 1, over: true, part: 0, parts: 1, slots: [slot(0), slot(3)] } as const
    expect(store.add({ ...frame, slots: [...frame.slots] }, START + HOUR_MS)).toEqual([hour])
    const [zoom] = toFlowSeries(
      store.between(START, START + HOUR_MS, 'apps').buckets,
      'apps',
      { stepMs: FLOWS.slotMs },
      START + HOUR_MS,
    )
    expect(zoom?.points).toEqual([
      { time: START + FLOWS.slotMs, input: 2, out: 16 },
      { time: START + 4 * FLOWS.slotMs, input: 2, out: 16 },
    ])
  })
})
