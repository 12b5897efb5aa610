import Button from '@douyinfe/semi-ui/lib/es/button'
import { useMemo, useState } from 'react'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/transport.ts'
import { bandwidthText } from '#lib/format/format-unit.ts'
import { Segmented } from '#ui/form/segmented.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { StatusBadge } from '#ui/state/status-badge.tsx'
import { DataTable, type TableQuery } from '#ui/table/data-table.tsx'
import { FilterBar } from '#ui/table/filter-bar.tsx'
import { RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { SAMPLE_MEMBERS, SAMPLE_NOW, type SampleMember } from './sample-data.ts'

const STATES = [
  { value: 'rows', label: '有数据' },
  { value: 'loading', label: '首次加载' },
  { value: 'reloading', label: '刷新中' },
  { value: 'empty', label: '空' },
  { value: 'error', label: '出错' },
  { value: 'forbidden', label: '无权限' },
] as const
type Sample = (typeof STATES)[number]['value']

const COLUMNS: readonly Column<SampleMember>[] = [
  { key: 'note', title: '备注', cell: (row) => row.note, isName: true },
  { key: 'name', title: '序列号', cell: (row) => <span className="nl-mono">{row.router_name}</span> },
  {
    key: 'state',
    title: '状态',
    cell: (row) => <StatusBadge state={row.state} lastSeen={row.lastSeen} since={SAMPLE_NOW - 3_600_000} />,
  },
  { key: 'model', title: '型号', cell: (row) => row.model },
  { key: 'bandwidth', title: '带宽', cell: (row) => bandwidthText(row.bandwidthMbps), align: 'right' },
  { key: 'seen', title: '最近在线', cell: (row) => <TimeText at={row.lastSeen} never="从未" /> },
  {
    key: 'actions',
    title: '操作',
    align: 'right',
    sticky: 'end',
    cell: (row) => (
      <RowActions
        subject={row.note}
        actions={[
          { label: '详情', to: `/router/detail?router_name=${row.router_name}` },
          { label: '备注', onSelect: () => {} },
          { label: '重新下发', blocked: row.state === 'online' ? null : '离线时不可下发', onSelect: () => {} },
          { label: '删除', danger: true, onSelect: () => {} },
        ]}
      />
    ),
  },
]

export function TableSample() {
  const list = useListState({ state: 'all' })
  const [sample, setSample] = useState<Sample>('rows')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const query = useSampleQuery(sample, list.search, list.filters.state, list.page)
  return (
    <Panel
      title="硬件成员"
      actions={<Segmented label="示例状态" value={sample} options={STATES} onChange={setSample} />}
    >
      <FilterBar
        list={list}
        searchLabel="搜索示例设备"
        actions={
          <Button theme="solid" type="primary">
            添加成员
          </Button>
        }
      >
        <Segmented
          label="状态"
          value={list.filters.state}
          onChange={(state) => list.setFilter('state', state)}
          options={[
            { value: 'all', label: '全部' },
            { value: 'online', label: '在线' },
            { value: 'offline', label: '离线' },
          ]}
        />
      </FilterBar>
      <DataTable
        label="硬件成员"
        query={query}
        columns={COLUMNS}
        rowKey={(row) => row.router_name}
        list={list}
        selection={{ keys: selected, onChange: setSelected, actions: <Button type="danger">批量删除</Button> }}
        empty={{
          hint: '添加的示例设备显示在这里。',
          action: (
            <Button theme="solid" type="primary">
              添加成员
            </Button>
          ),
        }}
      />
    </Panel>
  )
}

function useSampleQuery(sample: Sample, search: string, state: string, page: number): TableQuery<SampleMember> {
  return useMemo(() => {
    const idle = { isValidating: false, mutate: () => {} }
    if (sample === 'loading') return { ...idle, isValidating: true }
    if (sample === 'empty') return { ...idle, data: { data: [], count: 0 } }
    if (sample === 'error') return { ...idle, error: new ApiError(500, SENTENCE.fault, { requestId: '8f3c2a9e-41d7' }) }
    if (sample === 'forbidden') return { ...idle, error: new ApiError(403, SENTENCE.permissionDenied) }
    const rows = SAMPLE_MEMBERS.filter(
      (row) => (state === 'all' || row.state === state) && `${row.note}${row.router_name}`.includes(search),
    )
    const shown = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    return { ...idle, isValidating: sample === 'reloading', data: { data: shown, count: rows.length } }
  }, [sample, search, state, page])
}
