import Button from '@douyinfe/semi-ui/lib/es/button'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { paths } from '#lib/paths.ts'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, NothingYet, Gone } from '#ui/state/states.tsx'
import { useNetworkInfo, useAreas } from '../api.ts'
import { AreaForm } from './area-form.tsx'
import { PopExpired } from './pop-expired.tsx'

/** Name of a network and the POP areas of its members (network 2). */
export function PopEditPage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  if (networkNumber === '') return <Navigate to={paths.networks()} replace />
  return <LoadedPop key={networkNumber} networkNumber={networkNumber} />
}

function LoadedPop({ networkNumber }: { readonly networkNumber: string }) {
  const info = useNetworkInfo(networkNumber)
  const areas = useAreas(networkNumber)
  const navigate = useNavigate()
  const network = info.data?.data
  const error = info.error ?? areas.error
  useObjectTitle(network?.network_name)
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.networks()} />
  const trail = [
    { label: '组网列表', to: paths.networks() },
    ...(network === undefined ? [] : [{ label: network.network_name, to: paths.network(networkNumber) }]),
  ]
  const choices = areas.data?.data
  const retry = () => {
    void info.mutate()
    void areas.mutate()
  }
  const order = () => void navigate(paths.createNetworkTicket(networkNumber))
  return (
    <>
      <PageHeader title="POP配置" trail={trail} />
      {network !== undefined && choices !== undefined && choices.length > 0 ? (
        <>
          <PopExpired info={network} />
          <AreaForm info={network} areas={choices} />
        </>
      ) : (
        <Panel>
          {error !== undefined ? (
            <ErrorState error={error} onRetry={retry} />
          ) : choices === undefined || network === undefined ? (
            <Skeleton lines={8} />
          ) : (
            <NothingYet
              title="暂不可购买"
              hint="该组网还没有POP资源，请先提交接入POP工单。"
              action={<Button onClick={order}>接入POP</Button>}
            />
          )}
        </Panel>
      )}
    </>
  )
}
