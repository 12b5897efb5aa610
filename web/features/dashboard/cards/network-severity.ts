import type { OverviewNetwork } from './status-parts.ts'
import { NETWORK_SEVERITY } from '#domain/health/severity.ts'

/* Order of the networks on the dashboard, and the text of their availability. */

const severity = ({ health }: OverviewNetwork): number => NETWORK_SEVERITY[health.state]

/** Sorts the worst first, then by number of causes; keeps the given order otherwise. */
export const worstFirst = (networks: readonly OverviewNetwork[]): readonly OverviewNetwork[] =>
  networks.toSorted((a, b) => severity(b) - severity(a) || b.health.issues - a.health.issues)

/** Rounds down, so that 100% means no interruption. */
export function availabilityText(share: number | null): string {
  if (share === null) return '—'
  return `${Math.floor(share * 10_000) / 100}%`
}
