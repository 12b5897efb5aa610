import Button from '@douyinfe/semi-ui/lib/es/button'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { bandwidthText } from '#lib/format/format-unit.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { PresenceCell } from '#ui/member/member-badges.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { type ListState, useListState } from '#ui/table/use-list-state.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { LONG_MEMBERS, SAMPLE_MEMBERS, SAMPLE_NOW, type SampleMember } from '../samples/sample-data.ts'

const SORTS = ['created', 'name'] as const
export const LIST_CONTENTS = [
  { value: '41', label: '41 行' },
  { value: '0', label: '0 行' },
  { value: '1', label: '1 行' },
  { value: '200', label: '200 行（不分页）' },
  { value: 'long', label: '长文本' },
] as const
const STATES = [
  { value: 'all', label: '全部' },
  { value: 'online', label: '在线' },
  { value: 'offline', label: '离线' },
] as const

const COLUMNS: readonly Column<SampleMember>[] = [
  {
    key: 'name',
    title: '成员',
    isName: true,
    sort: { by: 'name', first: 'asc' },
    cell: (row) => (
      <MemberIdentity member={row} to={`/router/detail?router_name=${row.router_name}`} compactText={row.model} />
    ),
  },
  {
    key: 'state',
    title: '状态',
    phone: 'aside',
    cell: ({ state, lastSeen }) => (
      <PresenceCell
        isStale={false}
        type={ROUTER_TYPE.hardware}
        presence={{
          state: state === 'unknown' ? 'never' : state,
          since: state === 'never' ? null : SAMPLE_NOW,
          last_seen: lastSeen,
          reason: '',
        }}
      />
    ),
  },
  { key: 'model', title: '型号', from: 'md', cell: (row) => row.model },
  { key: 'bandwidth', title: '带宽', from: 'lg', align: 'right', cell: (row) => bandwidthText(row.bandwidthMbps) },
  { key: 'seen', title: '最近在线', from: 'xl', cell: (row) => <TimeText at={row.lastSeen} never="从未" /> },
  { key: 'version', title: '版本', isOptional: true, cell: (row) => row.version },
]

/** A page that is a list. `rows` in the address says how many it has. */
export function ListPattern() {
  const [query] = useSearchParams()
  const rows = LIST_CONTENTS.find(({ value }) => value === query.get('rows'))?.value ?? '41'
  const list = useListState({ state: 'all' }, SORTS)
  const { keys, onChange } = useSelection('samples')
  const add = (
    <Button theme="solid" type="primary">
      添加成员
    </Button>
  )
  return (
    <ListPage
      title="列表页"
      facts="搜索、筛选、排序、页码都在地址里；主操作在右上角"
      actions={add}
      label="示例成员"
      searchLabel="搜索备注或序列号"
      filters={<FilterSwitch list={list} name="state" label="状态" options={STATES} />}
      columns={COLUMNS}
      rowKey={(row) => row.router_name}
      rowName={(row) => row.note}
      toRowActions={(row) => [
        { label: '详情', to: `/router/detail?router_name=${row.router_name}` },
        { label: '备注', onSelect: () => {} },
        { label: '重新下发', blocked: row.state === 'online' ? null : '设备当前离线', onSelect: () => {} },
        { label: '删除', danger: true, onSelect: () => {} },
      ]}
      selection={{ keys, onChange, actions: <Button type="danger">批量删除</Button> }}
      outdated={rows === 'long' ? 3 : 0}
      empty={{ hint: '把第一台路由器接入组网，几分钟内即可看到它上线。', action: add }}
      list={list}
      query={useSamples(rows, list)}
    />
  )
}

function useSamples(
  rows: string,
  { search, filters, sort, order, page, limit }: ListState<'state', 'created' | 'name'>,
) {
  return useMemo(() => {
    const samples = rows === 'long' ? LONG_MEMBERS : SAMPLE_MEMBERS.slice(0, Number(rows))
    const found = samples.filter(
      (row) =>
        (filters.state === 'all' || row.state === filters.state) && `${row.note}${row.router_name}`.includes(search),
    )
    const sorted = sort === 'name' ? found.toSorted((a, b) => a.note.localeCompare(b.note, 'zh-CN')) : found
    const ordered = sort === 'name' && order === 'desc' ? sorted.toReversed() : sorted
    const shown = rows === '200' ? ordered : ordered.slice((page - 1) * limit, page * limit)
    return { data: { data: shown, count: rows === '200' ? 10 : found.length }, isValidating: false, mutate: () => {} }
  }, [rows, search, filters.state, sort, order, page, limit])
}
