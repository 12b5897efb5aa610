import type { Output } from '#contract/kernel/endpoint.ts'
import type { networkFrApi } from '#contract/network-fr/index.ts'
import { paths } from '#lib/paths.ts'
import { toast } from '#lib/toast/toast.ts'
import { FirstOf } from '#ui/table/count-cells.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { useFrs } from '../api.ts'
import { ChooseNetwork } from '../list/empty-actions.tsx'
import { ExpireDay } from '../list/network-state.tsx'
import { bandwidthText } from './tickets/ticket-text.tsx'

/* Page of the POP resources of the account (network 2). */

type FrRow = Output<typeof networkFrApi.lists>[number]

export function FrListPage() {
  const list = useListState({})
  const query = useFrs(list)
  return (
    <ListPage
      title="POP资源"
      label="POP资源"
      searchLabel="搜索资源名称"
      columns={COLUMNS}
      rowKey={(row) => String(row.network_fr_id)}
      rowName={(row) => row.name}
      toRowActions={() => [{ label: '延期', onSelect: () => toast.error('暂时无法延期') }]}
      empty={{ hint: '为组网接入POP的工单完成后，资源会显示在这里。', action: <ChooseNetwork /> }}
      {...{ list, query }}
    />
  )
}

/** Text of an area; no line breaks inside it. */
const toAreaText = ({ name, bandwidth }: FrRow['areas'][number]): string =>
  `${name} ${bandwidthText(bandwidth)}`.replaceAll(' ', '\u00a0')

const COLUMNS: readonly Column<FrRow>[] = [
  { key: 'name', title: '名称', isName: true, cell: (row) => row.name },
  { key: 'expire', title: '剩余天数', cell: (row) => <ExpireDay days={row.expire_day} /> },
  { key: 'status', title: '状态', cell: (row) => (row.status === 1 ? '有效' : '处理中') },
  {
    key: 'networks',
    title: '组网',
    cell: (row) => (
      <FirstOf
        label="组网"
        items={row.networks.map(({ network_name, network_number }) => ({
          text: network_name,
          to: paths.network(network_number),
        }))}
      />
    ),
  },
  {
    key: 'areas',
    title: '区域',
    wrap: true,
    cell: (row) => <span style={{ wordBreak: 'keep-all' }}>{row.areas.map(toAreaText).join('、') || '—'}</span>,
  },
  { key: 'expires', title: '到期时间', from: 'md', cell: (row) => <TimeText at={row.expire_time} /> },
  { key: 'created', title: '创建时间', from: 'lg', cell: (row) => <TimeText at={row.create_time} /> },
]
