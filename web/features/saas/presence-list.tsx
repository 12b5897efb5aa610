import type { Output } from '#contract/kernel/endpoint.ts'
import type { saasApi } from '#contract/saas/index.ts'
import { durationText } from '#lib/format/format-time.ts'
import { DataTable } from '#ui/table/data-table.tsx'
import { FilterBar } from '#ui/table/filter-bar.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { usePresences } from './api.ts'
import { volumeText } from './saas-text.ts'

type Row = Output<typeof saasApi.connect>[number]

/** Dial records: each presence of the device, with its volumes (directory 2). */
export function PresenceList({ routerName }: { readonly routerName: string }) {
  const list = useListState({})
  const query = usePresences(routerName, list)
  return (
    <Panel title="拨号记录">
      <FilterBar list={list} searchLabel="搜索IP或来源" />
      <DataTable
        label="拨号记录"
        columns={COLUMNS}
        rowKey={(row) => String(row.online_time)}
        isReadOnly
        empty={{ title: '暂无数据', hint: '设备每次上线都会在这里留下一条记录。' }}
        {...{ list, query }}
      />
    </Panel>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'ip', title: 'IP', isName: true, cell: (row) => <span className="nl-mono">{row.ip || '—'}</span> },
  { key: 'origin', title: '来源', cell: (row) => <span className="nl-mono">{row.origin || '—'}</span> },
  { key: 'input', title: '上行', align: 'right', cell: (row) => volumeText(row.input) },
  { key: 'out', title: '下行', align: 'right', cell: (row) => volumeText(row.out) },
  {
    key: 'session',
    title: '时长',
    from: 'lg',
    cell: (row) => (row.session_date === null ? '—' : durationText(row.session_date * 1000)),
  },
  { key: 'online', title: '上线时间', cell: (row) => <TimeText at={row.online_time} /> },
  {
    key: 'stop',
    title: '下线时间',
    from: 'md',
    cell: (row) => (row.stop_time === null ? '在线中' : <TimeText at={row.stop_time} />),
  },
]
