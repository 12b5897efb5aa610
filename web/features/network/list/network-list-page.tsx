import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { NETWORK_SORTS } from '#contract/network/networks.ts'
import { countText } from '#lib/format/format-unit.ts'
import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { paths } from '#lib/paths.ts'
import { useGrants } from '#lib/session/session.ts'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { ChannelNotice } from '#ui/state/channel-notice.tsx'
import { useReportedFailure } from '#ui/state/failure-strip.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { useDeleteNetwork, useNetworkQuota, useNetworks, useRefreshNetworks } from '../api.ts'
import { levelName, seatsText } from '../network-text.ts'
import { createBlocked, networkRights, popActions, toActions } from '../rights.ts'
import { confirmDelete } from './confirm-delete.ts'
import { networkColumns, type NetworkRow } from './network-columns.tsx'

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

/** Service level and member quota of the account (network 2). */
function QuotaCards() {
  const { data, error, mutate } = useNetworkQuota()
  const quota = data?.data
  useReportedFailure(quota === undefined ? error : undefined, mutate)
  return (
    <StatTiles isLoading={quota === undefined && error === undefined}>
      <StatTile label="服务等级" value={quota === undefined ? '—' : levelName(quota.network_level)} />
      <StatTile label="席位（每个组网各计一次）" {...(quota === undefined ? NO_SEATS : toSeats(quota))} />
      <StatTile label="每个组网的中心点" value={quota === undefined ? '—' : `最多 ${quota.network_center_count} 个`} />
    </StatTiles>
  )
}

type Seats = Parameters<typeof seatsText>[0]
const NO_SEATS = { value: '—', share: 0 } as const

function toSeats(quota: Seats) {
  const { network_router_use: used, network_router_count: seats } = quota
  return {
    value: `${countText(used)} / ${countText(seats)}`,
    share: used === 0 ? 0 : used / seats,
    ...seatsNote(quota),
  }
}

function seatsNote(quota: Seats) {
  const { network_router_use: used, network_router_count: seats } = quota
  const isOver = seats > 0 && used > seats
  const missing = isOver ? `超出 ${countText(used - seats)} 个` : seatsText(quota)
  if (missing === null) return {}
  const note = (
    <>
      {missing} <Link to={paths.createTicket}>提交工单</Link>
    </>
  )
  return { note, tone: isOver ? ('bad' as const) : ('warn' as const) }
}
