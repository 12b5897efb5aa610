import { useSearchParams } from 'react-router'
import { RESULT } from '../../../../worker/contract/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { Gone } from '../../../ui/gone.tsx'
import { useObjectTitle } from '../../../ui/object-title.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { PlanForm } from '../parts/plan-form.tsx'
import { usePlanData } from '../use-plan-data.ts'

/** Creates a network, or manages the members of the one that is named in the address (network 2). */
export function NetworkEditPage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  const { data, error, reload } = usePlanData(networkNumber)
  const name = data?.network?.network_name
  useObjectTitle(name)
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.networks()} />
  const trail = [
    { label: '组网列表', to: paths.networks() },
    ...(name === undefined ? [] : [{ label: name, to: paths.network(networkNumber) }]),
  ]
  return (
    <>
      <PageHeader title={networkNumber === '' ? '创建组网' : '管理成员'} trail={trail} />
      {data !== null && <PlanForm key={networkNumber} {...data} onReload={reload} />}
      {data === null && (
        <Panel>
          {error === undefined ? (
            <Skeleton lines={8} />
          ) : (
            <ErrorState error={error} onRetry={() => void reload().catch(() => {})} />
          )}
        </Panel>
      )}
    </>
  )
}
