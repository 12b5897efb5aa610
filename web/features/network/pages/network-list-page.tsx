import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Output } from '../../../../worker/contract/endpoint.ts'
import { networkApi } from '../../../../worker/contract/network.ts'
import { paths } from '../../../lib/paths.ts'
import { useAccountLive } from '../../../lib/account-live.tsx'
import { useCommand, useQuery } from '../../../lib/use-endpoint.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { type RowAction, RowActions } from '../../../ui/row-actions.tsx'
import type { Column } from '../../../ui/table-parts.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useListState } from '../../../ui/use-list-state.ts'
import { askDelete } from '../dialogs/ask-delete.ts'
import { RenameDialog } from '../dialogs/rename-dialog.tsx'
import { typeName } from '../network-text.ts'
import '../parts/network.css'
import { NetworkState } from '../parts/network-state.tsx'
import { QuotaCards } from '../parts/quota-cards.tsx'
import { blockedBy, createBlocked, isShown, networkRights } from '../rights.ts'
import { useGrants } from '../../../lib/session.ts'

type Row = Output<typeof networkApi.lists>[number]

const NO_FILTERS = {}
const REFRESH_AFTER_MS = 2_000

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'name',
    title: '组网名称',
    isName: true,
    cell: (row) => (
      <>
        <Link to={paths.network(row.network_number)}>{row.network_name}</Link>
        <div className="nl-second-line">{row.network_number}</div>
      </>
    ),
  },
  { key: 'type', title: '组网类型', cell: (row) => typeName(row.network_type) },
  {
    key: 'members',
    title: '成员数',
    cell: (row) => (
      <span>
        {row.member_count} <span className="nl-muted">（在线 {row.online_count}）</span>
      </span>
    ),
  },
  { key: 'pop', title: 'POP资源', cell: (row) => row.fr_name || '—' },
  { key: 'status', title: '状态', cell: (row) => <NetworkState status={row.network_status} /> },
  { key: 'created', title: '创建时间', cell: (row) => <TimeText at={row.create_time} /> },
]

export function NetworkListPage() {
  const list = useListState(NO_FILTERS)
  const grants = useGrants()
  const navigate = useNavigate()
  const query = useQuery(
    networkApi.lists,
    { page: list.page, search: list.search },
    { keepPrevious: true, quiet: true },
  )
  const config = useQuery(networkApi.config, {})
  const [renamed, setRenamed] = useState<Row | null>(null)
  const remove = useCommand(networkApi.delete, [networkApi.lists, networkApi.config, networkApi.select], {
    quiet: true,
  })
  useRefreshOnPresence(query.mutate)

  const actionsOf = (row: Row): readonly RowAction[] => {
    const rights = networkRights(grants, row)
    return [
      { label: '详情', to: paths.network(row.network_number) },
      ...(isShown(rights.rename)
        ? [{ label: '重命名', onSelect: () => setRenamed(row), blocked: blockedBy(rights.rename) }]
        : []),
      ...(isShown(rights.delete)
        ? [
            {
              label: '删除',
              danger: true,
              blocked: blockedBy(rights.delete),
              onSelect: () => void askDelete(row, () => remove.trigger({ network_number: row.network_number })),
            },
          ]
        : []),
    ]
  }
  const actions: Column<Row> = {
    key: 'actions',
    title: '操作',
    align: 'right',
    sticky: 'end',
    cell: (row) => <RowActions actions={actionsOf(row)} subject={row.network_name} />,
  }
  const create = (
    <ActionButton
      theme="solid"
      type="primary"
      blocked={createBlocked(grants)}
      onClick={() => void navigate(paths.createNetwork)}
    >
      创建组网
    </ActionButton>
  )

  return (
    <>
      <PageHeader title="组网列表" actions={create} />
      <QuotaCards config={config.data?.data} />
      <Panel>
        <FilterBar list={list} searchLabel="搜索组网名称或编号" />
        <DataTable
          label="组网"
          query={query}
          columns={[...COLUMNS, actions]}
          rowKey={(row) => row.network_number}
          list={list}
          empty={{ hint: '组网把分支、厂区和个人终端连成一张私有网络。', action: create }}
        />
      </Panel>
      {renamed !== null && <RenameDialog network={renamed} onClose={() => setRenamed(null)} />}
    </>
  )
}

/** Members that come and go move the online counts; many at once are one reload. */
function useRefreshOnPresence(refresh: () => unknown): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useAccountLive((frame) => {
    if (frame.type !== 'routers') return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void refresh(), REFRESH_AFTER_MS)
  })
}
