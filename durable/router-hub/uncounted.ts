import { FLOWS } from '../../worker/contract/hub-limits.ts'
import type { Uncounted } from '../../worker/contract/hubs.ts'
import type { FlowSum } from './flow-buckets.ts'
import { type TrafficPiece, type TrafficSum, sumBySteps } from './traffic-range.ts'
import { HOUR_MS } from './traffic.ts'

/** What the interfaces counted beyond the flows, in steps of which both are known; connections that are offloaded are in no flow. */
export function toUncounted(sums: readonly FlowSum[], pieces: readonly TrafficPiece[]): Uncounted {
  const stepMs = Math.max(HOUR_MS, ...sums.map(({ lengthMs }) => lengthMs))
  const counted = sumBySteps(sums, stepMs)
  const both = [...sumBySteps(pieces, stepMs)].flatMap(([end, traffic]) => {
    const flows = counted.get(end)
    return flows && flows.coveredMs <= traffic.coveredMs + FLOWS.slotMs ? [{ traffic, flows }] : []
  })
  if (both.length === 0) return null
  const beyond = (of: (sum: TrafficSum) => number) =>
    Math.max(0, Math.round(both.reduce((sum, { traffic, flows }) => sum + of(traffic) - of(flows), 0)))
  return { input: beyond(({ up }) => up), out: beyond(({ down }) => down) }
}
