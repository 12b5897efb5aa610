import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { NETWORK_SORTS } from '#contract/network/networks.ts'
import { paths } from '#lib/paths.ts'
import { useGrants } from '#lib/session/session.ts'
import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { ChannelNotice } from '#ui/state/channel-notice.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { useDeleteNetwork, useNetworkQuota, useNetworks, useRefreshNetworks } from '../api.ts'
import { confirmDelete } from './confirm-delete.ts'
import { seatsText } from '../network-text.ts'
import { type NetworkRow, networkColumns } from './network-columns.tsx'
import { QuotaCards } from './quota-cards.tsx'
import { popActions } from '../pop/pop-actions.ts'
import { createBlocked, networkRights, toActions } from '../rights.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'

const RenameDialog = lazyDialog(() => import('./rename-dialog.tsx').then((m) => ({ default: m.RenameDialog })))

const ONLINE_COUNT_MS = 2_000

export function NetworkListPage() {
  const list = useListState({}, NETWORK_SORTS)
  const isStale = usePresenceRefresh({ everyMs: ONLINE_COUNT_MS, read: useRefreshNetworks() }) === 'down'
  const query = useNetworks(list, isStale)
  const quota = useNetworkQuota().data?.data
  const grants = useGrants()
  const navigate = useNavigate()
  const remove = useDeleteNetwork()
  const [renamed, setRenamed] = useState<NetworkRow | null>(null)

  const toRowActions = (row: NetworkRow): readonly RowAction[] => {
    const { network_number } = row
    const rights = networkRights(grants, row)
    const deleteRow = () => void confirmDelete(row, () => remove.trigger({ network_number }))
    return [
      { label: '详情', to: paths.network(network_number) },
      ...popActions(rights.add, network_number, row.fr_expire_day),
      ...toActions(rights.rename, { label: '重命名', onSelect: () => setRenamed(row) }),
      ...toActions(rights.delete, { label: '删除', danger: true, onSelect: deleteRow }),
    ]
  }
  const create = (
    <ActionButton
      theme="solid"
      type="primary"
      blocked={createBlocked(grants) ?? (quota === undefined ? null : seatsText(quota))}
      onClick={() => void navigate(paths.createNetwork)}
    >
      创建组网
    </ActionButton>
  )
  return (
    <ListPage
      title="组网列表"
      actions={
        <>
          <Button onClick={() => void navigate(paths.networkTickets)}>组网工单</Button>
          {create}
        </>
      }
      above={
        <>
          <ChannelNotice isDown={isStale} isPolled={query.error === undefined} />
          <QuotaCards />
        </>
      }
      label="组网"
      searchLabel="搜索组网名称或编号"
      columns={networkColumns(isStale)}
      rowKey={(row) => row.network_number}
      rowName={(row) => row.network_name}
      empty={{ hint: '组网把分支、厂区和个人终端连成一张私有网络。', action: createBlocked(grants) === null && create }}
      {...{ list, query, toRowActions }}
    >
      {renamed !== null && <RenameDialog info={renamed} onClose={() => setRenamed(null)} />}
    </ListPage>
  )
}
