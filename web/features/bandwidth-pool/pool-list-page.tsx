import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { poolDetail, type PoolRow, usePools } from './api.ts'

/** Page of the list of bandwidth pools (directory 2). */
export function PoolListPage() {
  const list = useListState({})
  const query = usePools(list)
  return (
    <ListPage
      title="带宽池"
      searchLabel="搜索带宽池名称"
      columns={COLUMNS}
      rowKey={(row) => String(row.id)}
      rowName={(row) => row.name}
      empty={{ hint: '带宽池由服务商开通，其中的设备共享池的带宽。' }}
      {...{ list, query }}
    />
  )
}

const COLUMNS: readonly Column<PoolRow>[] = [
  { key: 'name', title: '名称', isName: true, cell: (row) => <IdentityCell name={row.name} to={poolDetail(row.id)} /> },
  { key: 'max', title: '最大带宽', align: 'right', cell: (row) => `${row.max} Mbs` },
  { key: 'total', title: '设备数', align: 'right', cell: (row) => row.total },
]
