import Button from '@douyinfe/semi-ui/lib/es/button'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { NETWORK_TICKET_NAME } from '#contract/network/pop.ts'
import { paths } from '#lib/paths.ts'
import { Gone } from '#ui/state/gone.tsx'
import { MainArea } from '#ui/layout/main-area.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, NothingYet } from '#ui/state/states.tsx'
import { useNetworkInfo, useTicketConfig } from '#pages/network/api.ts'
import type { TicketConfig } from './order.ts'
import { OrderWizard } from './order-wizard.tsx'
import styles from './order-wizard.module.css'

/** Orders POP access for a network, in a layout of its own (network 2). */
export function TicketCreatePage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  const network = useNetworkInfo(networkNumber || null).data?.data
  if (networkNumber === '') return <Navigate to={paths.networks()} replace />
  return (
    <MainArea>
      <div className={styles.page}>
        <PageHeader
          title={NETWORK_TICKET_NAME}
          trail={[
            { label: '组网列表', to: paths.networks() },
            { label: network?.network_name ?? networkNumber, to: paths.network(networkNumber) },
          ]}
        />
        <LoadedWizard key={networkNumber} networkNumber={networkNumber} />
      </div>
    </MainArea>
  )
}

function LoadedWizard({ networkNumber }: { readonly networkNumber: string }) {
  const { data, error, mutate } = useTicketConfig(networkNumber)
  const navigate = useNavigate()
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.networks()} />
  const config = data?.data
  if (config?.refused) return <Refused networkNumber={networkNumber} refused={config.refused} />
  if (config !== undefined && config.ticket.pop.length > 0)
    return <OrderWizard networkNumber={networkNumber} config={config} />
  return (
    <Panel>
      {config !== undefined ? (
        <NothingYet
          title="暂不可购买"
          hint="目前没有可接入的POP区域。"
          action={<Button onClick={() => void navigate(paths.networks())}>返回组网列表</Button>}
        />
      ) : error === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <ErrorState error={error} onRetry={() => void mutate()} />
      )}
    </Panel>
  )
}

interface RefusedProps {
  readonly networkNumber: string
  readonly refused: NonNullable<TicketConfig['refused']>
}

/** Instead of the first step: what would be refused at the end is not filled in. */
function Refused({ networkNumber, refused: { msg, network_ticket_number: number } }: RefusedProps) {
  const navigate = useNavigate()
  const ticket = { network_number: networkNumber, network_ticket_number: number }
  return (
    <Panel>
      <NothingYet
        title="暂时不能提交接入POP工单"
        hint={msg}
        action={
          number === '' ? (
            <Button onClick={() => void navigate(paths.network(networkNumber))}>返回组网</Button>
          ) : (
            <Button onClick={() => void navigate(paths.networkTicket(ticket))}>查看未完成的工单</Button>
          )
        }
      />
    </Panel>
  )
}
