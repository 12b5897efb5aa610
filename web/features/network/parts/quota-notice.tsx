import { overQuotaText } from '../network-text.ts'
import type { NetworkInfo } from '../projection.ts'
import './network.css'

/** Why a network is out of use and how it comes back (network 2). */
export function QuotaNotice({ network }: { readonly network: NetworkInfo | null }) {
  const warning = network === null ? null : overQuotaText(network.network_status, network.network_config)
  if (warning === null) return null
  return (
    <div className="nl-notice nl-notice-bad" role="alert">
      <span className="nl-notice-text">{warning}</span>
    </div>
  )
}
