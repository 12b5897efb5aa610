import type { LinkView } from '../../../../worker/contract/protocol.ts'
import { LinkBadge } from '../../../ui/status-badge.tsx'

interface StaleProps {
  /** Our own channel is down: what is shown is the last that was known. */
  readonly isStale: boolean
}

export function LinkState({ link, isStale }: StaleProps & { readonly link: LinkView }) {
  return <LinkBadge state={link.state} reason={link.reason} since={link.since} stale={isStale} />
}

export function rttText(rttMs: number | null): string {
  return rttMs === null ? '—' : `${rttMs < 10 ? rttMs.toFixed(1) : Math.round(rttMs)} ms`
}
