import type { QualityPoint } from '#contract/network/tunnels.ts'

/* History of a link: each step of a range with its quality and whether the link was up, and its ups and downs. */

/** Time in which a link was up. */
export interface LinkTime {
  readonly startAt: number
  readonly endAt: number | null // null: it goes on
  readonly reason: string // of the end
}

interface Series {
  readonly from: number
  readonly to: number
  readonly step_ms: number
  readonly points: readonly QualityPoint[]
}

/**
 * @param times newest first; without any, nothing is known of ups and downs
 * @param now steps that have not begun are unknown
 */
export function toLinkTimes({ from, to, step_ms, points }: Series, times: readonly LinkTime[], now: number) {
  const known = new Map(points.map((point) => [point.time, point]))
  const steps = Array.from({ length: (to - from) / step_ms }, (_, index) => from + (index + 1) * step_ms)
  return {
    points: steps.map((time) => ({
      ...(known.get(time) ?? { time, rtt_ms: null, rtt_max_ms: null, loss: null }),
      up: upIn(times, time - step_ms, Math.min(time, now)),
    })),
    events: times.flatMap(toEvents).filter(({ time }) => time >= from && time <= to),
  }
}

/** 1: up all the time; 0: down for a part of it; null before the first known time. */
function upIn(times: readonly LinkTime[], from: number, to: number): 0 | 1 | null {
  const first = times.at(-1)
  if (first === undefined || to <= from || to <= first.startAt) return null
  const covered = times.reduce((sum, { startAt, endAt }) => {
    const [begin, end] = [Math.max(from, startAt), Math.min(to, endAt ?? to)]
    return sum + Math.max(0, end - begin)
  }, 0)
  return covered >= to - Math.max(from, first.startAt) ? 1 : 0
}

const toEvents = ({ startAt, endAt, reason }: LinkTime) => [
  ...(endAt === null ? [] : [{ time: endAt, up: 0 as const, reason }]),
  { time: startAt, up: 1 as const, reason: '' },
]
