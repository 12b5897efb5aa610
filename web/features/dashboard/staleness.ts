import type { Overview } from '../../../worker/contract/overview.ts'
import type { LiveState } from '../../lib/live.ts'

/** Why states may be outdated: our own channel is down, the account's hub or that of a network did not answer, or the last reading failed. */
export type Staleness = 'fresh' | 'channel' | 'hub' | 'networks' | 'failed'

export function toStaleness(facts: {
  readonly channel: LiveState
  readonly overview: Pick<Overview, 'live' | 'networks'> | undefined
  readonly hasFailed: boolean
}): Staleness {
  if (facts.hasFailed) return 'failed'
  if (facts.channel === 'down') return 'channel'
  if (facts.overview?.live === 0) return 'hub'
  return facts.overview?.networks.some(({ live }) => live === 0) ? 'networks' : 'fresh'
}

export const isStale = (stale: Staleness): boolean => stale !== 'fresh'
