import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { useNow } from '#ui/hooks/use-now.ts'
import { Notice } from '#ui/state/notice.tsx'
import { overlapOwners, overlapText, overQuotaText, suspensionText } from '../network-text.ts'
import type { NetworkInfo } from '../live-network.ts'
import { popExpiredText } from '../settings/setting-text.ts'

/** Banners for problems of the whole network, each with its remedy (network 2). */
export function NetworkNotices({ network }: { readonly network: NetworkInfo | null }) {
  const now = useNow()
  if (network === null) return null
  const overQuota = overQuotaText(network.network_status, network.network_config)
  const overlap = overlapText(network.overlaps)
  const popExpired = popExpiredText(network)
  return (
    <>
      {overQuota !== null && (
        <Notice tone="bad" role="alert">
          {overQuota}
          {suspensionText(network.suspended_time, now)}
        </Notice>
      )}
      {popExpired !== null && (
        <Notice tone="bad" role="alert" actions={<Link to={paths.popResources}>查看POP资源</Link>}>
          {popExpired}
        </Notice>
      )}
      {overlap !== null && (
        <Notice tone="warn" role="alert" actions={<Owners network={network} />}>
          {overlap}
        </Notice>
      )}
    </>
  )
}

function Owners({ network }: { readonly network: NetworkInfo }) {
  return overlapOwners(network.overlaps).map(({ router, label }) => (
    <Link key={router} to={paths.router(router)} target="_blank" rel="noopener noreferrer">
      查看 {label}
    </Link>
  ))
}

/** Notice above fields that have no effect because the POP resource has expired. */
export function PopExpired({ info }: { readonly info: Pick<NetworkInfo, 'network_fr'> }) {
  const text = popExpiredText(info)
  return (
    text !== null && (
      <Notice tone="bad" role="status">
        {text}
      </Notice>
    )
  )
}
