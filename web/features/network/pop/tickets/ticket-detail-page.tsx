import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import type { Output } from '#contract/kernel/endpoint.ts'
import { RESULT } from '#contract/kernel/result.ts'
import type { networkApi } from '#contract/network/index.ts'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { Gone } from '#ui/state/page-states.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { useTicket } from '#pages/network/api.ts'
import { bandwidthText, TicketBadge, ticketTypeName, UNASSIGNED_TEXT, yearsText } from './ticket-text.tsx'
import { useTicketActions } from './use-ticket-actions.ts'

/* Page of one order of POP access (network 2). */

type Ticket = Output<typeof networkApi.ticketView>

export function TicketDetailPage() {
  const [query] = useSearchParams()
  const number = query.get('network_ticket_number') ?? ''
  if (number === '') return <Navigate to={paths.networkTickets} replace />
  return <LoadedTicket key={number} number={number} />
}

function LoadedTicket({ number }: { readonly number: string }) {
  const { data, error, mutate } = useTicket(number)
  const navigate = useNavigate()
  const toActions = useTicketActions(() => void navigate(paths.networkTickets))
  useObjectTitle(number)
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.networkTickets} />
  const ticket = data?.data
  return (
    <>
      <PageHeader
        title={ticket === undefined ? number : ticketTypeName(ticket.network_ticket_type)}
        trail={[{ label: '组网工单', to: paths.networkTickets }]}
        facts={
          ticket && (
            <>
              <CopyText text={number} label="复制工单编号" />
              <TicketBadge status={ticket.network_ticket_status} />
            </>
          )
        }
        actions={
          ticket && (
            <PageActions
              subject={number}
              main={[]}
              beside={toActions(ticket).filter((action) => !isDangerous(action))}
              more={toActions(ticket).filter(isDangerous)}
            />
          )
        }
      />
      {ticket === undefined ? (
        <Panel>
          <Loading query={{ error, mutate }} lines={8} />
        </Panel>
      ) : (
        <TicketParts ticket={ticket} />
      )}
    </>
  )
}

const isDangerous = ({ danger = false }: RowAction) => danger

function TicketParts({ ticket }: { readonly ticket: Ticket }) {
  const { attributes } = ticket
  const labels = new Map(ticket.member.map((member) => [member.router_name, memberLabel(member)]))
  const network =
    ticket.network_name === '' ? (
      <span className="nl-muted">{ticket.network_number}（组网已删除）</span>
    ) : (
      <Link to={paths.network(ticket.network_number)} state={withLinkedName(ticket.network_name)}>
        {ticket.network_name}
      </Link>
    )
  return (
    <>
      <Panel title="基本信息">
        <Facts
          facts={[
            { label: '关联组网', value: network },
            { label: '创建时间', value: <TimeText at={ticket.create_time} /> },
            ...(ticket.network_ticket_status === NETWORK_TICKET_STATUS.completed
              ? [{ label: '完成时间', value: <TimeText at={ticket.complete_time} /> }]
              : []),
            ...(ticket.note === '' ? [] : [{ label: '处理说明', value: ticket.note }]),
          ]}
        />
      </Panel>
      <Panel title="工单属性">
        <Facts
          facts={[
            { label: '带宽', value: bandwidthText(attributes.bandwidth) },
            { label: 'POP区域', value: attributes.pop.map(({ name }) => name).join('、') },
            { label: '有效期', value: yearsText(attributes.expired_time) },
          ]}
        />
      </Panel>
      <Panel title="区域成员">
        <Facts
          facts={attributes.pop.map(({ value, name }) => {
            const names = attributes.pop_conf[String(value)] ?? []
            const text = names.map((router) => labels.get(router) ?? router).join('、')
            return { label: name, value: text || <span className="nl-muted">{UNASSIGNED_TEXT}</span> }
          })}
        />
      </Panel>
    </>
  )
}
