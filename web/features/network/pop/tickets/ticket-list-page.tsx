import type { Output } from '#contract/kernel/endpoint.ts'
import { NETWORK_TICKET_WORD, networkTicketStatus } from '#contract/network/pop.ts'
import type { networkApi } from '#contract/network/index.ts'
import { rangeMs } from '#lib/format/format-time.ts'
import { paths } from '#lib/paths.ts'
import { DateRange } from '#ui/form/dates/date-range.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { useTickets } from '#pages/network/api.ts'
import { ChooseNetwork } from '#pages/network/list/empty-actions.tsx'
import { parseRange, rangeText, TicketBadge, ticketTypeName } from './ticket-text.tsx'
import { useTicketActions } from './use-ticket-actions.ts'

/* Page of the list of orders of POP access (network 2). */

type TicketRow = Output<typeof networkApi.ticketLists>[number]

const KNOWN = [...networkTicketStatus.values]
const STATUSES = [
  { value: '', label: '全部' },
  ...KNOWN.map((status) => ({ value: String(status), label: NETWORK_TICKET_WORD[status] })),
]

export function TicketListPage() {
  const list = useListState({ status: '', range: '' })
  const { page, limit, search, filters } = list
  const range = parseRange(filters.range)
  const status = KNOWN.find((known) => String(known) === filters.status) ?? ''
  const time = range === null ? null : rangeMs(range)
  const query = useTickets({
    page,
    limit,
    search,
    status,
    ...(time !== null && { start_time: time.startMs, end_time: time.endMs }),
  })
  const toActions = useTicketActions()
  return (
    <ListPage
      title="组网工单"
      label="组网工单"
      searchLabel="搜索工单编号或组网编号"
      columns={COLUMNS}
      rowKey={(row) => row.network_ticket_number}
      toRowActions={(row) => [{ label: '详情', to: paths.networkTicket(row) }, ...toActions(row)]}
      filters={
        <>
          <FilterSwitch list={list} name="status" label="按状态筛选" options={STATUSES} />
          <DateRange label="创建时间" value={range} onChange={(next) => list.setFilter('range', rangeText(next))} />
        </>
      }
      empty={{ hint: '在组网列表中为组网接入POP，提交的工单会显示在这里。', action: <ChooseNetwork /> }}
      {...{ list, query }}
    />
  )
}

const COLUMNS: readonly Column<TicketRow>[] = [
  {
    key: 'number',
    title: '工单编号',
    isName: true,
    cell: (row) => (
      <IdentityCell
        name={row.network_ticket_number}
        to={paths.networkTicket(row)}
        second={row.network_name}
        compactText={row.network_name === '' ? row.network_number : ''}
      />
    ),
  },
  {
    key: 'status',
    title: '状态',
    phone: 'aside',
    cell: (row) => <TicketBadge status={row.network_ticket_status} />,
  },
  { key: 'network', title: '组网编号', cell: (row) => <span className="nl-mono">{row.network_number}</span> },
  { key: 'type', title: '工单类型', from: 'md', cell: (row) => ticketTypeName(row.network_ticket_type) },
  { key: 'created', title: '创建时间', from: 'md', cell: (row) => <TimeText at={row.create_time} /> },
  { key: 'completed', title: '完成时间', from: 'lg', cell: (row) => <TimeText at={row.complete_time} /> },
]
