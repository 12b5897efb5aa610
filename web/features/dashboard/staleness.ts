import type { LiveState } from '../../lib/live.ts'

/** Why states may be outdated: our own channel is down, the account's hub did not answer, or the last reading failed. */
export type Staleness = 'fresh' | 'channel' | 'hub' | 'failed'

export function toStaleness(facts: {
  readonly channel: LiveState
  readonly live: 0 | 1 | undefined
  readonly hasFailed: boolean
}): Staleness {
  if (facts.hasFailed) return 'failed'
  if (facts.channel === 'down') return 'channel'
  return facts.live === 0 ? 'hub' : 'fresh'
}

export const isStale = (stale: Staleness): boolean => stale !== 'fresh'
