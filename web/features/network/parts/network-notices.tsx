import { Notice } from '../../../ui/notice.tsx'
import { overlapText, overQuotaText } from '../network-text.ts'
import type { NetworkInfo } from '../projection.ts'

/** What is wrong with a network as a whole, and what mends it (network 2). */
export function NetworkNotices({ network }: { readonly network: NetworkInfo | null }) {
  if (network === null) return null
  const overQuota = overQuotaText(network.network_status, network.network_config)
  const overlap = overlapText(network.overlap)
  return (
    <>
      {overQuota !== null && (
        <Notice tone="bad" role="alert">
          {overQuota}
        </Notice>
      )}
      {overlap !== null && (
        <Notice tone="warn" role="alert">
          {overlap}
        </Notice>
      )}
    </>
  )
}
