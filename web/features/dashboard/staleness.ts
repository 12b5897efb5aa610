import type { Overview } from '#contract/overview/index.ts'
import type { LiveState } from '#lib/live/live.ts'

/**
 * Reason why states may be outdated: our channel is down, the account's hub did not answer, or the last reading failed.
 * `links`: the hubs of some networks did not answer, the rest is fresh.
 */
export type Staleness = 'fresh' | 'links' | 'channel' | 'hub' | 'failed'

export function toStaleness(facts: {
  readonly channel: LiveState
  readonly overview: Pick<Overview, 'live' | 'networks'> | undefined
  readonly hasFailed: boolean
}): Staleness {
  if (facts.hasFailed) return 'failed'
  if (facts.channel === 'down') return 'channel'
  if (facts.overview?.live === 0) return 'hub'
  return facts.overview?.networks.some(({ live }) => live === 0) ? 'links' : 'fresh'
}

export const isStale = (stale: Staleness): boolean => stale !== 'fresh' && stale !== 'links'
