import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { NETWORK_HEALTH_WORD, NOT_APPLIED_WORD, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import { NETWORK_STATUS, POP } from '#contract/network/limits.ts'
import { NETWORK_STATES, type NetworkSort, type NetworkState } from '#contract/network/networks.ts'
import { countOpened } from '#domain/health/link.ts'
import { countText } from '#lib/format/format-unit.ts'
import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { paths } from '#lib/paths.ts'
import { useGrants } from '#lib/session/session.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { ChannelNotice } from '#ui/state/connection-notice.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useReportedFailure } from '#ui/state/failure-strip.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import { LinkRatio, Ratio } from '#ui/table/count-cells.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { useDeleteNetwork, useNetworkQuota, useNetworks, useRefreshNetworks } from '../api.ts'
import { levelName, membersText, type Seats, seatsRequest, seatsText, statusName, typeName } from '../network-text.ts'
import { createBlocked, networkRights, popActions, toActions } from '../rights.ts'
import { confirmDelete } from './confirm-delete.ts'
import styles from './network-list.module.css'
import { ExpireDay, type NetworkRow, NetworkStateCell } from './network-state.tsx'

/* Page of the list of networks, with quotas of the account, and health, members and POP resource of each network. */

const RenameDialog = lazyDialog(() => import('./rename-dialog.tsx').then((m) => m.RenameDialog))

const ONLINE_COUNT_MS = 2_000

/** Orders of the list; it opens by severity. */
const SORTS: readonly NetworkSort[] = ['status', 'created', 'name', 'members']

const STATE_WORD: Readonly<Record<NetworkState, string>> = {
  ...NETWORK_HEALTH_WORD,
  suspended: statusName(NETWORK_STATUS.overQuota),
}

/** The row still matches the filter after a change of its state; one without a known health does. */
function isInState({ network_status, health }: NetworkRow, state: NetworkState | ''): boolean {
  const isInUse = network_status === NETWORK_STATUS.normal
  if (state === '' || (isInUse && health === null)) return true
  return isInUse ? health?.state === state : state === 'suspended'
}

export function NetworkListPage() {
  const list = useListState({ state: '' }, SORTS)
  const { page, limit, search, sort, order } = list
  const state = NETWORK_STATES.find((one) => one === list.filters.state) ?? ''
  const isStale = usePresenceRefresh({ everyMs: ONLINE_COUNT_MS, read: useRefreshNetworks() }) === 'down'
  const query = useNetworks({ page, limit, search, sort, order, state }, isStale)
  const counts = query.data?.states
  // Rows of the earlier filter stay while a page loads, so none of them counts as outdated.
  const outdated = query.isValidating ? 0 : (query.data?.data.filter((row) => !isInState(row, state)).length ?? 0)
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
      views="network"
      outdated={outdated}
      filters={
        <CountChips<NetworkState>
          label="组网状态"
          value={state}
          total={counts && NETWORK_STATES.reduce((sum, one) => sum + counts[one], 0)}
          chips={NETWORK_STATES.map((one) => ({ value: one, label: STATE_WORD[one], count: counts?.[one] ?? 0 }))}
          onChange={(chosen) => list.setFilter('state', chosen)}
        />
      }
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

const NO_SEATS = { value: '—', share: 0 } as const

function toSeats(quota: Seats) {
  const { network_router_use: used, network_router_count: seats } = quota
  const count = { value: `${countText(used)} / ${countText(seats)}`, share: used === 0 ? 0 : used / seats }
  const isOver = seats > 0 && used > seats
  const missing = isOver ? `超出 ${countText(used - seats)} 个` : seatsText(quota)
  if (missing === null) return count
  const note = (
    <>
      {missing} <Link to={seatsRequest(quota)}>提交工单</Link>
    </>
  )
  return { ...count, note, tone: isOver ? ('bad' as const) : ('warn' as const) }
}

type NetworkColumn = Column<NetworkRow> & {
  readonly sort?: { readonly by: NetworkSort; readonly first: 'asc' | 'desc' }
}

const networkColumns = (isStale: boolean): readonly NetworkColumn[] => [
  {
    key: 'name',
    title: '组网名称',
    isName: true,
    sort: { by: 'name', first: 'asc' },
    cell: (row) => (
      <IdentityCell
        name={row.network_name}
        to={paths.network(row.network_number)}
        second={<span className="nl-mono">{row.network_number}</span>}
        compactText={`在线 ${row.online_count} / ${row.member_count}`}
      />
    ),
  },
  {
    key: 'status',
    title: '状态',
    phone: 'aside',
    sort: { by: 'status', first: 'desc' },
    cell: (row) => <NetworkStateCell row={row} isStale={isStale} />,
  },
  {
    key: 'members',
    title: '成员数',
    wrap: true,
    sort: { by: 'members', first: 'desc' },
    cell: ({ member_count, health }) => (
      <span>
        {member_count}
        {health !== null && <small className={styles.states}>{membersText(health.members)}</small>}
      </span>
    ),
  },
  { key: 'links', title: '链路', from: 'md', cell: ({ health }) => <Links health={health} /> },
  {
    key: 'config',
    title: '配置生效',
    from: 'lg',
    cell: ({ health }) => (
      <Ratio of={health?.config.applied ?? 0} total={health?.config.total ?? 0} noneWord={NOT_APPLIED_WORD} />
    ),
  },
  { key: 'type', title: '组网类型', from: 'lg', cell: (row) => typeName(row.network_type) },
  { key: 'pop', title: 'POP资源', from: 'lg', cell: (row) => <PopResource {...row} /> },
  {
    key: 'created',
    title: '创建时间',
    from: 'xl',
    sort: { by: 'created', first: 'desc' },
    cell: (row) => <TimeText at={row.create_time} />,
  },
]

/** POP resource. The state column also shows its expiry, because narrow screens leave this column out. */
function PopResource({ fr_name, fr_expire_day: days }: Pick<NetworkRow, 'fr_name' | 'fr_expire_day'>) {
  if (days === null) return <span className="nl-muted">—</span>
  return (
    <>
      {fr_name}
      {days > 0 && days <= POP.soonDays && (
        <div>
          <ExpireDay days={days} />
        </div>
      )}
    </>
  )
}

/** Links that are up of all that have ever been up, the unknown ones, and members that have lost their second link. */
function Links({ health }: Pick<NetworkRow, 'health'>) {
  if (health === null) return <span className="nl-muted">—</span>
  const { single_center } = health
  return (
    <>
      <LinkRatio of={countOpened(health.links)} />
      {single_center > 0 && (
        <div className="nl-muted">
          {SINGLE_CENTER_WORD} {countText(single_center)}
        </div>
      )}
    </>
  )
}
