import { DAY_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { briefDuration } from '#lib/format/format-time.ts'
import type { OverviewNetwork } from './status-parts.ts'
import { NETWORK_SEVERITY } from '#domain/health/severity.ts'

/* Order of the networks on the dashboard, and the text of their availability. */

const severity = ({ health }: OverviewNetwork): number => NETWORK_SEVERITY[health.state]

/** Sorts the worst first, then by number of causes; keeps the given order otherwise. */
export const worstFirst = (networks: readonly OverviewNetwork[]): readonly OverviewNetwork[] =>
  networks.toSorted((a, b) => severity(b) - severity(a) || b.health.issues - a.health.issues)

const NEARLY_A_DAY_MS = 0.95 * DAY_MS // the oldest kept transition is a little younger than a day

/** Share rounded down, so that 100% means no interruption; with the time that it is of, unless that is the whole day. */
export function availabilityText({
  availability,
  availability_ms: measuredMs,
}: Pick<OverviewNetwork, 'availability_ms'> & { readonly availability: number }): string {
  const percent = availability === 1 ? '100%' : `${(Math.floor(availability * 1_000) / 10).toFixed(1)}%`
  if (measuredMs >= NEARLY_A_DAY_MS) return percent
  return `${percent}（${measuredMs < MINUTE_MS ? '不足 1 分' : briefDuration(measuredMs)}）`
}
