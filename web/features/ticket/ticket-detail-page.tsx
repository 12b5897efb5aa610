import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { ERRORS } from '#contract/kernel/errors.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { TICKET_STATUS, type TicketView } from '#contract/ticket/index.ts'
import { checkReopen } from '#domain/ticket/status.ts'
import { paths } from '#lib/paths.ts'
import { useThrottle } from '#lib/use-throttle.ts'
import { useNow } from '#ui/hooks/use-now.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Gone } from '#ui/state/page-states.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { useReopen, useTicket } from './api.ts'
import { Appraisal } from './appraisal.tsx'
import styles from './conversation.module.css'
import { Conversation } from './conversation.tsx'
import { ReplyBox } from './reply-box.tsx'
import { HOURS_HINT, TicketBadge, typeName } from './ticket-text.tsx'
import { useTicketActions } from './use-ticket-actions.ts'

/* Page of one ticket with its conversation (account 2). */

const RENEW_MS = 1_000

export function TicketDetailPage() {
  const [query] = useSearchParams()
  const number = query.get('ticket_number') ?? ''
  if (number === '') return <Navigate to={paths.tickets} replace />
  return <LoadedTicket key={number} number={number} />
}

function LoadedTicket({ number }: { readonly number: string }) {
  const { data, error, mutate } = useTicket(number)
  const ticket = data?.data
  useObjectTitle(ticket?.ticket_title)
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.tickets} />
  return (
    <>
      <PageHeader
        title={ticket?.ticket_title ?? number}
        trail={[{ label: '客服工单', to: paths.tickets }]}
        facts={
          ticket && (
            <>
              <CopyText text={number} label="复制工单编号" />
              <TicketBadge status={ticket.ticket_status} />
              <span>{HOURS_HINT}</span>
            </>
          )
        }
        actions={ticket && <TicketVerbs ticket={ticket} />}
      />
      {ticket !== undefined ? (
        <TicketParts ticket={ticket} onExpired={() => void mutate()} />
      ) : (
        <Panel>
          <Loading query={{ error, mutate }} lines={8} />
        </Panel>
      )}
    </>
  )
}

function TicketVerbs({ ticket }: { readonly ticket: TicketView }) {
  const navigate = useNavigate()
  const toActions = useTicketActions(() => void navigate(paths.tickets))
  const reopen = useReopen()
  const now = useNow()
  const { ticket_number, ticket_status: status, appraise, close_time: closedAt } = ticket
  const mayReopen = checkReopen({ status, grade: appraise?.grade ?? null, closedAt }, now) === null
  const onSelect = () => void reopen.trigger({ ticket_number })
  return (
    <PageActions
      subject={ticket_number}
      main={[]}
      beside={mayReopen ? [{ label: '重新打开', onSelect }] : []}
      more={toActions(ticket)}
    />
  )
}

function TicketParts({ ticket, onExpired }: { ticket: TicketView; onExpired: () => void }) {
  const { ticket_number, ticket_status: status, appraise } = ticket
  const renew = useThrottle(onExpired, RENEW_MS) // many expired images cause one read
  return (
    <div className={styles.columns}>
      <div>
        <Panel title="沟通记录">
          <Conversation ticket={ticket} onExpired={renew} />
        </Panel>
        {appraise === null && (
          <Panel title="回复">
            {status === TICKET_STATUS.closed ? (
              <p className={styles.text}>{ERRORS.TICKET_CLOSED.msg}</p>
            ) : (
              <div className={styles.wide}>
                <ReplyBox number={ticket_number} />
              </div>
            )}
          </Panel>
        )}
      </div>
      <div>
        <Panel title="工单信息">
          <Facts
            facts={[
              { label: '问题类型', value: typeName(ticket.ticket_type) },
              { label: '提交人', value: ticket.author },
              { label: '创建时间', value: <TimeText at={ticket.create_time} /> },
              ...(ticket.close_time === null
                ? []
                : [{ label: '关闭时间', value: <TimeText at={ticket.close_time} /> }]),
            ]}
          />
        </Panel>
        <Panel title="服务评价">
          <Appraisal ticket={ticket} />
        </Panel>
      </div>
    </div>
  )
}
