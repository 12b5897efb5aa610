import { TRAFFIC_RANGE, type LinkRange } from '#contract/kernel/hub-limits.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import type { QualityPoint } from '#contract/network/tunnels.ts'
import { type Probes, TENTHS, addProbes } from './link-probes.ts'
import { type RangeSteps, endOfStep, startOfDay } from './series-time.ts'
import type { DayBuckets, HourSlots } from './traffic-slots.ts'

/* Latency and loss of a link over equal steps, from the probes in stored slots and buckets. */

/** Probes of a piece of time. */
interface Piece {
  readonly startMs: number
  readonly probes: Probes
}

/** Pieces of one name in slots, minute by minute, and in buckets. */
export const piecesOfHour = (hour: number, slots: HourSlots, name: string): readonly Piece[] =>
  (slots[name] ?? []).flatMap(({ minute, span, probes }) => {
    if (!probes) return []
    const { asked, lost, rtt, rttMax } = probes
    const each = { asked: asked / span, lost: lost / span, rtt: rtt / span, rttMax }
    return Array.from({ length: span }, (_, back) => ({
      startMs: hour * HOUR_MS + (minute - back) * MINUTE_MS,
      probes: each,
    }))
  })

export const piecesOfDay = ({ day, buckets }: DayBuckets, name: string): readonly Piece[] =>
  (buckets[name] ?? []).flatMap(({ hour, probes }) =>
    probes ? [{ startMs: startOfDay(day) + hour * HOUR_MS, probes }] : [],
  )

/** Latency and loss of each step with probes, oldest first. Steps without are gaps. */
export function toQuality(pieces: readonly Piece[], { from, to, stepMs }: RangeSteps): readonly QualityPoint[] {
  const steps = new Map<number, Probes>()
  for (const { startMs, probes } of pieces) {
    if (startMs < from || startMs >= to) continue
    const end = endOfStep(startMs, stepMs)
    steps.set(end, addProbes(steps.get(end), probes).probes ?? probes)
  }
  return [...steps].toSorted(([a], [b]) => a - b).map(([time, probes]) => toPoint(time, probes))
}

function toPoint(time: number, { asked, lost, rtt, rttMax }: Probes): QualityPoint {
  const answered = asked - lost
  const isAnswered = answered > LEAST
  return {
    time,
    rtt_ms: isAnswered ? Math.round(rtt / answered) / TENTHS : null,
    rtt_max_ms: isAnswered ? rttMax / TENTHS : null,
    loss: asked > LEAST ? Math.round((lost / asked) * 1_000) : null,
  }
}

/** Parts of a slot are fractions, and one of an interval over two hours may have no probe. */
const LEAST = 1e-9

/** Steps of a range that ends now. */
export function stepsOf(range: LinkRange, now: number): RangeSteps {
  const { spanMs, stepMs } = TRAFFIC_RANGE[range]
  const to = endOfStep(now - 1, stepMs)
  return { from: to - spanMs, to, stepMs }
}
