import { describe, expect, it } from 'vitest'
import { type FlowBucket, toFlowSum } from '#durable/router-hub/flows/flow-buckets.ts'
import type { TrafficPiece } from '#durable/router-hub/traffic/traffic-range.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { startOfDay } from '#durable/router-hub/traffic/series-time.ts'
import { FLOWS } from '#contract/kernel/hub-limits.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { toUncounted } from '#durable/router-hub/flows/flow-views.ts'

const START = startOfDay(20_500)
type Volume = readonly [up: number, down: number]

/** Flows of two applications that are together `volume`. */
const flows = (startMs: number, [up, down]: Volume, lengthMs: number = FLOWS.slotMs): FlowBucket => ({
  startMs,
  lengthMs,
  coveredMs: lengthMs,
  apps: new Map([
    ['飞书', { up: up - 1, down: down - 1 }],
    ['', { up: 1, down: 1 }],
  ]),
  sources: new Map([['10.0.0.5', { up: 7, down: 7 }]]),
})
const wan = (startMs: number, [up, down]: Volume, lengthMs: number = HOUR_MS, coveredMs = lengthMs): TrafficPiece => ({
  startMs,
  lengthMs,
  coveredMs,
  up,
  down,
})

interface Row {
  readonly buckets: readonly FlowBucket[]
  readonly pieces: readonly TrafficPiece[]
  readonly answer: ReturnType<typeof toUncounted>
}
const ROWS: Readonly<Record<string, Row>> = {
  'neither is known': { buckets: [], pieces: [], answer: null },
  'flows alone': { buckets: [flows(START, [10, 90])], pieces: [], answer: null },
  'the interfaces alone': { buckets: [], pieces: [wan(START, [10, 90])], answer: null },
  'each of another hour': {
    buckets: [flows(START, [10, 90])],
    pieces: [wan(START + HOUR_MS, [100, 900])],
    answer: null,
  },
  'what is beyond the flows, each way': {
    buckets: [flows(START, [10, 90]), flows(START + FLOWS.slotMs, [5, 10])],
    pieces: [wan(START, [100, 900])],
    answer: { input: 85, out: 800 },
  },
  'minutes of an hour together': {
    buckets: [flows(START + 10 * MINUTE_MS, [10, 90])],
    pieces: Array.from({ length: 60 }, (_, i) => wan(START + i * MINUTE_MS, [2, 3], MINUTE_MS)),
    answer: { input: 110, out: 90 },
  },
  'an hour that only one side knows adds nothing, before the first and after the last with flows': {
    buckets: [flows(START, [10, 90]), flows(START - 2 * HOUR_MS, [50, 50])],
    pieces: [-3, 0, 1].map((i) => wan(START + i * HOUR_MS, [15, 100])),
    answer: { input: 5, out: 10 },
  },
  'an hour between them that nobody counted is in no flow as a whole': {
    buckets: [flows(START, [15, 100], HOUR_MS), flows(START + 2 * HOUR_MS, [15, 100], HOUR_MS)],
    pieces: [0, 1, 2].map((i) => wan(START + i * HOUR_MS, [15, 100])),
    answer: { input: 15, out: 100 },
  },
  'an hour whose second half nobody counted: that half alone': {
    buckets: [
      ...Array.from({ length: 6 }, (_, i) => flows(START + i * FLOWS.slotMs, [10, 100])),
      flows(START + HOUR_MS, [120, 1_200], HOUR_MS),
    ],
    pieces: Array.from({ length: 120 }, (_, i) => wan(START + i * MINUTE_MS, [2, 20], MINUTE_MS)),
    answer: { input: 60, out: 600 },
  },
  'connections of one hour that are offloaded: their bytes alone': {
    buckets: [0, 1, 2].map((i) => flows(START + i * HOUR_MS, [100, i === 1 ? 300 : 1_000], HOUR_MS)),
    pieces: [0, 1, 2].map((i) => wan(START + i * HOUR_MS, [100, 1_000])),
    answer: { input: 0, out: 700 },
  },
  'what lasted while tracking failed is counted late, in the same hour': {
    buckets: [flows(START, [10, 100]), flows(START + 5 * FLOWS.slotMs, [50, 500])],
    pieces: Array.from({ length: 60 }, (_, i) => wan(START + i * MINUTE_MS, [1, 10], MINUTE_MS)),
    answer: { input: 0, out: 0 },
  },
  'an hour whose interfaces were read for less than its flows adds nothing': {
    buckets: [0, 1, 2].map((i) => flows(START + i * FLOWS.slotMs, [10, 10])),
    pieces: [wan(START, [100, 100], HOUR_MS, 2 * FLOWS.slotMs - MINUTE_MS)],
    answer: null,
  },
  'a slot of lateness counts': {
    buckets: [0, 1, 2].map((i) => flows(START + i * FLOWS.slotMs, [10, 10])),
    pieces: [wan(START, [100, 100], HOUR_MS, 2 * FLOWS.slotMs)],
    answer: { input: 70, out: 70 },
  },
  'hours balance each other': {
    buckets: [flows(START, [60, 60]), flows(START + HOUR_MS, [10, 10])],
    pieces: [wan(START, [50, 50]), wan(START + HOUR_MS, [30, 30])],
    answer: { input: 10, out: 10 },
  },
  'flows beyond the interfaces are never below 0': {
    buckets: [flows(START, [60, 10])],
    pieces: [wan(START, [50, 50])],
    answer: { input: 0, out: 40 },
  },
  'days are compared as days': {
    buckets: [flows(START, [100, 1_000], DAY_MS)],
    pieces: Array.from({ length: 24 }, (_, i) => wan(START + i * HOUR_MS, [10, 50])),
    answer: { input: 140, out: 200 },
  },
}

describe('design 8 · traffic that the interfaces of a SaaS device counted beyond its flows', () => {
  it('each case has its answer', async () => {
    const offenders = await findOffenders(Object.entries(ROWS))((_, { buckets, pieces, answer }) => {
      expect(toUncounted(buckets.map(toFlowSum), pieces)).toEqual(answer)
    })
    expect(offenders).toEqual([])
  })
})
