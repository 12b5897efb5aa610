import type { ConfigView, PresenceView } from '../../worker/contract/protocol.ts'
import { ConfigTag, StatusBadge } from './status-badge.tsx'

interface StaleProps {
  /** The live channel is down: the last known state is shown. */
  readonly isStale: boolean
}

export function PresenceBadge({ presence, isStale }: StaleProps & { readonly presence: PresenceView }) {
  const { state, reason, since, last_seen } = presence
  const lastSeen = state === 'online' ? null : last_seen // last connect; outdated while online
  return <StatusBadge state={state} reason={reason} since={since} lastSeen={lastSeen} stale={isStale} />
}

export function ConfigBadge({ config, isStale }: StaleProps & { readonly config: ConfigView }) {
  if (config.state === 'none') return <span className="nl-muted">—</span>
  return <ConfigTag state={config.state} reason={config.reason} since={config.at} stale={isStale} />
}
