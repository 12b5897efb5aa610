import type { FlowSeries, FlowShare, Uncounted } from '#contract/kernel/hubs.ts'
import { SAAS } from '#contract/saas/limits.ts'
import { FLOWS } from '#contract/kernel/hub-limits.ts'
import {
  type FlowBucket,
  type FlowKind,
  type VolumeSums,
  REST,
  addVolume,
  byVolume,
  sumVolumes,
  withRest,
} from './flow-buckets.ts'
import { endOfStep, type RangeSteps } from '../traffic/series-time.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'
import { NO_TRAFFIC, type TrafficPiece, type TrafficSum, sumBySteps, toPoint } from '../traffic/traffic-range.ts'

/* Views of stored flows: series of the largest names, their shares, and traffic that no flow counts. */

/** Buckets that are over: the others have no rate yet. Charts and shares end with the same one. */
export const endedBuckets = (buckets: readonly FlowBucket[], now: number): readonly FlowBucket[] =>
  buckets.filter(({ startMs, coveredMs }) => startMs + coveredMs <= now)

/** Series of the largest names and the rest, in bit/s by steps. A step that was not watched has no point. */
export function toFlowSeries(
  buckets: readonly FlowBucket[],
  kind: FlowKind,
  { stepMs }: Pick<RangeSteps, 'stepMs'>,
  now: number,
): readonly FlowSeries[] {
  const over = endedBuckets(buckets, now)
  const sums = sumVolumes(over.map((bucket) => bucket[kind]))
  const names = byVolume(sums).slice(0, SAAS.seriesMax)
  const hasRest = sums.size > names.length
  const steps = toSteps(over, kind, stepMs, new Set(names))
  return [...names, ...(hasRest ? [REST] : [])].map((name) => ({
    name,
    points: [...steps].map(([time, step]) =>
      toPoint(time, { ...NO_TRAFFIC, ...step.volumes.get(name), coveredMs: step.coveredMs }),
    ),
  }))
}

function toSteps(buckets: readonly FlowBucket[], kind: FlowKind, stepMs: number, names: ReadonlySet<string>) {
  const steps = new Map<number, { volumes: VolumeSums; coveredMs: number }>()
  for (const bucket of buckets) {
    const end = endOfStep(bucket.startMs, stepMs)
    const step = steps.get(end) ?? { volumes: new Map(), coveredMs: 0 }
    for (const [name, volume] of withRest(bucket[kind], names)) addVolume(step.volumes, name, volume)
    steps.set(end, { ...step, coveredMs: step.coveredMs + bucket.coveredMs })
  }
  return steps
}

/** Largest names, in bytes, and the rest; shares in hundredths of a percent, together 10,000. */
export function toFlowTop(buckets: readonly FlowBucket[], kind: FlowKind): readonly FlowShare[] {
  const sums = sumVolumes(buckets.map((bucket) => bucket[kind]))
  const names = byVolume(sums).slice(0, SAAS.topRows)
  const kept = withRest(sums, new Set(names))
  const listed = [...names, ...(kept.has(REST) ? [REST] : [])]
  const rows = listed.map((name) => {
    const { up, down } = kept.get(name) ?? NO_TRAFFIC
    return { name, input: up, out: down, total: up + down }
  })
  const shares = toShares(rows.map(({ total }) => total))
  return rows.map((row, i) => ({ ...row, share: shares[i] ?? 0 })).filter(({ total }) => total > 0)
}

const WHOLE = 10_000

/** Largest remainder method: parts of 100.00 that add up to it. */
export function toShares(totals: readonly number[]): readonly number[] {
  const sum = totals.reduce((a, b) => a + b, 0)
  if (sum === 0) return totals.map(() => 0)
  const exact = totals.map((total) => (total / sum) * WHOLE)
  const whole = exact.map(Math.floor)
  const missing = WHOLE - whole.reduce((a, b) => a + b, 0)
  const byRemainder = exact.map((value, i) => [value - (whole[i] ?? 0), i] as const).toSorted(([a], [b]) => b - a)
  const raised = new Set(byRemainder.slice(0, missing).map(([, i]) => i))
  return whole.map((value, i) => (raised.has(i) ? value + 1 : value))
}

/**
 * Interface traffic that no flow counts: offloaded connections, and traffic while connection tracking fails. Counted by
 * hours, because a long connection is counted late, or by days if only those are kept. An hour is included if it has flows
 * or lies between hours that have; before and after them nothing was counted.
 */
export function toUncounted(sums: readonly TrafficPiece[], pieces: readonly TrafficPiece[]): Uncounted {
  const stepMs = Math.max(HOUR_MS, ...sums.map(({ lengthMs }) => lengthMs))
  const counted = sumBySteps(sums, stepMs)
  const [first, last] = [Math.min(...counted.keys()), Math.max(...counted.keys())]
  const steps = [...sumBySteps(pieces, stepMs)].flatMap(([end, traffic]) => {
    const flows = end < first || end > last ? undefined : (counted.get(end) ?? NO_TRAFFIC)
    return flows && flows.coveredMs <= traffic.coveredMs + FLOWS.slotMs ? [{ traffic, flows }] : []
  })
  if (!steps.some(({ flows }) => flows.coveredMs > 0)) return null
  const beyond = (of: (sum: TrafficSum) => number) =>
    Math.max(0, Math.round(steps.reduce((sum, { traffic, flows }) => sum + of(traffic) - of(flows), 0)))
  return { input: beyond(({ up }) => up), out: beyond(({ down }) => down) }
}
