import type { TicketRow } from '#contract/ticket/index.ts'
import { shortTimeText } from '#lib/format/format-time.ts'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { PrimaryLink } from '#ui/layout/buttons/primary-button.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { titleColumn } from '#ui/table/identity-cell.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { useTickets } from './api.ts'
import { HOURS_HINT, STATUS_OPTIONS, TicketBadge, toStatus, typeName } from './ticket-text.tsx'
import { useTicketActions } from './use-ticket-actions.ts'

/** Page of support tickets: a sub-account sees its own, the main account all (account 2). */
export function TicketListPage() {
  const list = useListState({ status: '' })
  const { page, limit, search, filters } = list
  const query = useTickets({ page, limit, search, status: toStatus(filters.status) })
  const toActions = useTicketActions()
  const isMain = useUser().ram === 0
  const create = <PrimaryLink to={paths.createTicket}>提交工单</PrimaryLink>
  return (
    <ListPage
      title="客服工单"
      facts={HOURS_HINT}
      actions={create}
      label="工单"
      searchLabel="搜索工单编号或标题"
      columns={isMain ? [...COLUMNS.slice(0, 3), AUTHOR, ...COLUMNS.slice(3)] : COLUMNS}
      rowKey={(row) => row.ticket_number}
      toRowActions={(row) => [{ label: '查看', to: paths.ticket(row.ticket_number) }, ...toActions(row)]}
      filters={<FilterSwitch list={list} name="status" label="按状态筛选" options={STATUS_OPTIONS} />}
      empty={{ hint: '使用中遇到问题时提交工单，顾问会在工单内回复。', action: create }}
      {...{ list, query }}
    />
  )
}

const COLUMNS: readonly Column<TicketRow>[] = [
  titleColumn('工单标题', (row) => ({
    name: row.ticket_title,
    to: paths.ticket(row.ticket_number),
    second: <span className="nl-mono">{row.ticket_number}</span>,
    compactText: shortTimeText(row.create_time),
  })),
  { key: 'status', title: '状态', phone: 'aside', cell: (row) => <TicketBadge status={row.ticket_status} /> },
  { key: 'type', title: '问题类型', from: 'md', cell: (row) => typeName(row.ticket_type) },
  { key: 'created', title: '创建时间', from: 'md', cell: (row) => <TimeText at={row.create_time} /> },
]
const AUTHOR: Column<TicketRow> = { key: 'author', title: '提交人', from: 'lg', cell: (row) => row.author }
