import type { OverviewNetwork } from './status-parts.ts'
import { NETWORK_STATUS } from '#contract/network/limits.ts'

/* Order of the networks on the dashboard, and the text of their availability. */

const SEVERITY = { down: 0, partial: 2, ok: 3, never: 4 } as const
const SUSPENDED = 1

const severity = ({ health, network_status }: OverviewNetwork): number =>
  network_status === NETWORK_STATUS.overQuota ? Math.min(SUSPENDED, SEVERITY[health.state]) : SEVERITY[health.state]

/** Sorts the worst first, then by number of causes; keeps the given order otherwise. */
export const worstFirst = (networks: readonly OverviewNetwork[]): readonly OverviewNetwork[] =>
  networks.toSorted((a, b) => severity(a) - severity(b) || b.health.issues - a.health.issues)

/** Rounds down, so that 100% means no interruption. */
export function availabilityText(share: number | null): string {
  if (share === null) return '—'
  return `${Math.floor(share * 10_000) / 100}%`
}
