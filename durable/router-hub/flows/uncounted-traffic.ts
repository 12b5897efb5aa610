import { FLOWS } from '#contract/kernel/hub-limits.ts'
import type { Uncounted } from '#contract/kernel/hubs.ts'
import type { FlowSum } from './flow-buckets.ts'
import { type TrafficPiece, type TrafficSum, sumBySteps } from '../traffic/traffic-range.ts'
import { HOUR_MS } from '../traffic/series-time.ts'

/**
 * Interface traffic beyond the flows: connections that are offloaded are in no flow, nor is what passes while
 * connection tracking fails. By hours, because a connection that lasts is counted late, or by days where only those are kept. An
 * hour is part of it if it has flows, or lies between hours that have; before and after them nobody counted.
 */
export function toUncounted(sums: readonly FlowSum[], pieces: readonly TrafficPiece[]): Uncounted {
  const stepMs = Math.max(HOUR_MS, ...sums.map(({ lengthMs }) => lengthMs))
  const counted = sumBySteps(sums, stepMs)
  const [first, last] = [Math.min(...counted.keys()), Math.max(...counted.keys())]
  const steps = [...sumBySteps(pieces, stepMs)].flatMap(([end, traffic]) => {
    const flows = end < first || end > last ? undefined : (counted.get(end) ?? NO_FLOWS)
    return flows && flows.coveredMs <= traffic.coveredMs + FLOWS.slotMs ? [{ traffic, flows }] : []
  })
  if (!steps.some(({ flows }) => flows.coveredMs > 0)) return null
  const beyond = (of: (sum: TrafficSum) => number) =>
    Math.max(0, Math.round(steps.reduce((sum, { traffic, flows }) => sum + of(traffic) - of(flows), 0)))
  return { input: beyond(({ up }) => up), out: beyond(({ down }) => down) }
}

const NO_FLOWS: TrafficSum = { coveredMs: 0, up: 0, down: 0 }
