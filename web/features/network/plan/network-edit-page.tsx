import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { paths } from '#lib/paths.ts'
import { Notice } from '#ui/state/notice.tsx'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, Gone } from '#ui/state/states.tsx'
import { seatsText } from '../network-text.ts'
import { PlanForm } from './plan-form.tsx'
import type { NetworkInfo } from '../projection.ts'
import { type PlanData, usePlanData } from './use-plan-data.ts'

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
      {data !== null && <SeatsOrForm key={networkNumber} data={data} onReload={reload} />}
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

interface SeatsOrFormProps {
  readonly data: PlanData
  readonly onReload: () => Promise<NetworkInfo | undefined>
}

/** Form; without a free seat only the notice for a new network, while an existing one can still lose members. */
function SeatsOrForm({ data, onReload }: SeatsOrFormProps) {
  const navigate = useNavigate()
  const { network, quota } = data
  const missing = seatsText({ network_router_use: quota.membersUsed, network_router_count: quota.members })
  // Asked once: a seat that is taken while the form is filled in must not take the form away.
  const [isClosed] = useState(network === null && missing !== null)
  return (
    <>
      {missing !== null && network?.network_status !== 0 && (
        <Notice
          tone="warn"
          role="alert"
          actions={
            <>
              <Link to={paths.createTicket}>提交工单</Link>
              {isClosed && <Button onClick={() => void navigate(paths.networks())}>返回组网列表</Button>}
            </>
          }
        >
          {missing}。
        </Notice>
      )}
      {!isClosed && <PlanForm {...data} onReload={onReload} />}
    </>
  )
}
