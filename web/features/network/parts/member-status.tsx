import type { ConfigView, LinkView } from '../../../../durable/protocol.ts'
import { ConfigTag, LinkLight, StatusLight } from '../../../ui/status-light.tsx'
import type { Member } from '../projection.ts'

interface StaleProps {
  /** Our own channel is down: what is shown is the last that was known. */
  readonly isStale: boolean
}

export function MemberLight({ member: { presence }, isStale }: StaleProps & { readonly member: Member }) {
  const { state, reason, since, last_seen } = presence
  return <StatusLight state={state} reason={reason} since={since} lastSeen={last_seen} stale={isStale} />
}

export function MemberConfig({ config, isStale }: StaleProps & { readonly config: ConfigView }) {
  if (config.state === 'none') return <span className="nl-muted">—</span>
  const state = config.state === 'unsynced' ? 'drifted' : config.state
  return <ConfigTag state={state} reason={config.reason} since={config.at} stale={isStale} />
}

export function LinkState({ link, isStale }: StaleProps & { readonly link: LinkView }) {
  return <LinkLight state={link.state} reason={link.reason} since={link.since} stale={isStale} />
}

export function rttText(rttMs: number | null): string {
  return rttMs === null ? '—' : `${rttMs < 10 ? rttMs.toFixed(1) : Math.round(rttMs)} ms`
}
