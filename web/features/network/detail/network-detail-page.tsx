import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { paths } from '#lib/paths.ts'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, NoPermission, Gone } from '#ui/state/states.tsx'
import { NetworkDetail } from './network-detail.tsx'
import { useNetworkLive } from './use-network-live.ts'

/** One network with the live states of its members and links (network 2). */
export function NetworkDetailPage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  if (networkNumber === '') return <Navigate to={paths.networks()} replace />
  return <LoadedDetail key={networkNumber} networkNumber={networkNumber} />
}

function LoadedDetail({ networkNumber }: { readonly networkNumber: string }) {
  const live = useNetworkLive(networkNumber)
  const [isDeleting, setDeleting] = useState(false)
  useObjectTitle(live.info?.network_name)
  if (live.gone !== null && !isDeleting) return <Gone message={live.gone} to={paths.networks()} />
  const isForbidden = live.error?.code === RESULT.forbidden
  if (live.info !== undefined && !isForbidden)
    return <NetworkDetail info={live.info} live={live} onDeleting={setDeleting} />
  return (
    <>
      <PageHeader title="组网详情" trail={[{ label: '组网列表', to: paths.networks() }]} />
      <Panel>
        {isForbidden ? (
          <NoPermission />
        ) : live.error === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <ErrorState error={live.error} onRetry={() => void live.reload()} />
        )}
      </Panel>
    </>
  )
}
