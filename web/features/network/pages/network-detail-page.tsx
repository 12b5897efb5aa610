import { useEffect, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { RESULT } from '../../../../worker/contract/errors.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ErrorState, NoPermission } from '../../../ui/states.tsx'
import { LISTS_PATH } from '../network-text.ts'
import { Gone } from '../parts/gone.tsx'
import { NetworkDetail } from '../parts/network-detail.tsx'
import { loadTopology } from '../topology/load-topology.ts'
import { useNetworkLive } from '../use-network-live.ts'
import { usePresetView } from '../use-network-view.ts'

/** One network: what it is, how its members and links are, what can be done (network 2). */
export function NetworkDetailPage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  if (networkNumber === '') return <Navigate to={LISTS_PATH} replace />
  return <LoadedDetail key={networkNumber} networkNumber={networkNumber} />
}

function LoadedDetail({ networkNumber }: { readonly networkNumber: string }) {
  const live = useNetworkLive(networkNumber)
  const [isDeleting, setDeleting] = useState(false)
  usePreloadedGraph()
  if (live.gone !== null && !isDeleting) return <Gone message={live.gone} />
  if (live.info !== undefined) return <NetworkDetail info={live.info} live={live} onDeleting={setDeleting} />
  return (
    <>
      <PageHeader title="组网详情" trail={[{ label: '组网列表', to: LISTS_PATH }]} />
      <Panel>
        {live.error === undefined ? (
          <Skeleton lines={8} />
        ) : live.error.code === RESULT.forbidden ? (
          <NoPermission />
        ) : (
          <ErrorState error={live.error} onRetry={() => void live.reload()} />
        )}
      </Panel>
    </>
  )
}

/** The drawing travels beside the network's rows, not after them, where a drawing is what will be shown. */
function usePreloadedGraph(): void {
  const isGraph = usePresetView() === 'graph'
  useEffect(() => {
    if (isGraph) void loadTopology().catch(() => null) // drawn, it fails again and says so
  }, [isGraph])
}
