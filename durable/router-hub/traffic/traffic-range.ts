import type { FlowPoint } from '#contract/kernel/hubs.ts'
import type { StoredDay } from './traffic-days.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, endOfStep, startOfDay } from './series-time.ts'
import type { HourSlots } from './traffic-slots.ts'
import { toBitRate } from './traffic-rates.ts'

/** Bytes of some interfaces in a piece of time: a minute, an hour or a day. */
export interface TrafficPiece {
  readonly startMs: number
  readonly lengthMs: number
  readonly coveredMs: number
  readonly up: number
  readonly down: number
}

interface Stored {
  readonly days: readonly StoredDay[]
  readonly hours: readonly (readonly [hour: number, slots: HourSlots])[]
}

/** Pieces of stored traffic of these interfaces that a range touches. Sent bytes are up, received ones down. */
export function toPieces({ days, hours }: Stored, names: readonly string[], from: number, to: number) {
  const pieces = [...days.flatMap((day) => ofDay(day, names)), ...hours.flatMap((hour) => ofHour(hour, names))]
  return merge(pieces.filter(({ startMs, lengthMs }) => startMs + lengthMs > from && startMs < to))
}

function ofDay({ day, isByHour, buckets }: StoredDay, names: readonly string[]): TrafficPiece[] {
  const lengthMs = isByHour ? HOUR_MS : DAY_MS
  return names.flatMap((name) =>
    (buckets[name] ?? []).map(({ hour, minutes, rx, tx }) => ({
      startMs: startOfDay(day) + hour * HOUR_MS,
      lengthMs,
      coveredMs: minutes * MINUTE_MS,
      up: tx,
      down: rx,
    })),
  )
}

/** A slot's volume evenly over its minutes. */
const ofHour = ([hour, slots]: Stored['hours'][number], names: readonly string[]): TrafficPiece[] =>
  names.flatMap((name) =>
    (slots[name] ?? []).flatMap(({ minute, span, rx, tx }) =>
      Array.from({ length: span }, (_, back) => ({
        startMs: hour * HOUR_MS + (minute - back) * MINUTE_MS,
        lengthMs: MINUTE_MS,
        coveredMs: MINUTE_MS,
        up: tx / span,
        down: rx / span,
      })),
    ),
  )

/** Sums interfaces: one piece a time, watched where one of them was. */
function merge(pieces: readonly TrafficPiece[]): readonly TrafficPiece[] {
  const byStart = new Map<number, TrafficPiece>()
  for (const piece of pieces) {
    const known = byStart.get(piece.startMs)
    byStart.set(
      piece.startMs,
      known
        ? {
            ...known,
            coveredMs: Math.max(known.coveredMs, piece.coveredMs),
            up: known.up + piece.up,
            down: known.down + piece.down,
          }
        : piece,
    )
  }
  return [...byStart.values()].toSorted((a, b) => a.startMs - b.startMs)
}

export interface TrafficSum {
  readonly coveredMs: number
  readonly up: number
  readonly down: number
}

/** Sums by the end of their step. */
export function sumBySteps(pieces: readonly TrafficSumOf[], stepMs: number): ReadonlyMap<number, TrafficSum> {
  const steps = new Map<number, TrafficSum>()
  for (const { startMs, coveredMs, up, down } of pieces) {
    const end = endOfStep(startMs, stepMs)
    const known = steps.get(end) ?? { coveredMs: 0, up: 0, down: 0 }
    steps.set(end, { coveredMs: known.coveredMs + coveredMs, up: known.up + up, down: known.down + down })
  }
  return steps
}
type TrafficSumOf = Omit<TrafficPiece, 'lengthMs'>

/** A step that was not watched has no point. Minutes that are not over have no rate yet. */
export const toTrafficPoints = (pieces: readonly TrafficPiece[], stepMs: number, now: number): readonly FlowPoint[] =>
  [
    ...sumBySteps(
      pieces.filter(({ startMs, coveredMs }) => startMs + coveredMs <= now),
      stepMs,
    ),
  ].map(([time, { coveredMs, up, down }]) => ({
    time,
    input: toBitRate(up, coveredMs),
    out: toBitRate(down, coveredMs),
  }))
