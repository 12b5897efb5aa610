import { overlapText, overQuotaText } from '../network-text.ts'
import type { NetworkInfo } from '../projection.ts'
import './network.css'

/** What is wrong with a network as a whole, and what mends it (network 2). */
export function NetworkNotices({ network }: { readonly network: NetworkInfo | null }) {
  if (network === null) return null
  const overQuota = overQuotaText(network.network_status, network.network_config)
  const overlap = overlapText(network.overlap)
  return (
    <>
      {overQuota !== null && <Notice tone="bad" text={overQuota} />}
      {overlap !== null && <Notice tone="warn" text={overlap} />}
    </>
  )
}

function Notice({ tone, text }: { readonly tone: 'bad' | 'warn'; readonly text: string }) {
  return (
    <div className={`nl-notice nl-notice-${tone}`} role="alert">
      <span className="nl-notice-text">{text}</span>
    </div>
  )
}
