import type { OverviewNetwork } from './status-parts.ts'
import { NETWORK_STATUS } from '#contract/network/limits.ts'

const SEVERITY = { down: 0, partial: 2, ok: 3, never: 4 } as const
const SUSPENDED = 1

const severity = ({ health, network_status }: OverviewNetwork): number =>
  network_status === NETWORK_STATUS.overQuota ? Math.min(SUSPENDED, SEVERITY[health.state]) : SEVERITY[health.state]

/** The worst first, then those with the most causes; the rest as they come. */
export const worstFirst = (networks: readonly OverviewNetwork[]): readonly OverviewNetwork[] =>
  networks.toSorted((a, b) => severity(a) - severity(b) || b.health.issues - a.health.issues)

/** Rounded down, so that 100% has no interruption in it. */
export function availabilityText(share: number | null): string {
  if (share === null) return '—'
  return `${Math.floor(share * 10_000) / 100}%`
}
