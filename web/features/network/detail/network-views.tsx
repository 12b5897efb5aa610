import { type RefObject, useEffect, useMemo } from 'react'
import { LEASE_ROUND } from '#contract/kernel/hub-limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { PHONE, useMedia } from '#ui/hooks/use-media.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { TunnelBytes, TunnelTable, useTunnelBytes } from '#ui/member/tunnels/tunnel-table.tsx'
import { NothingWrong } from '#ui/state/page-states.tsx'
import { ColumnMenu } from '#ui/table/column-menu.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { SearchBox } from '#ui/table/filter-bar.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import { actionColumn, MoreActions, type RowAction, RowActions } from '#ui/table/row-actions.tsx'
import type { ListState } from '#ui/table/use-list-state.ts'
import { ManageMembers } from '../list/empty-actions.tsx'
import { linkOrders, MEMBER_ORDERS, type ViewSort } from '../network-order.ts'
import { MEMBER_SEARCH_LABEL } from '../network-text.ts'
import type { LinkRates } from '../link-rates.ts'
import type { Link, Member, NetworkInfo, Projection } from '../live-network.ts'
import { useSettingActions } from '../settings/setting-list.tsx'
import { isPopExpired } from '../settings/setting-text.ts'
import { topologyChunk } from '../topology/load-topology.ts'
import type { TopologySelection, TopologyHandle } from '../topology/topology.tsx'
import styles from './network-detail.module.css'
import { RoutesView } from './routes-view.tsx'
import { isFault, type stateChips, type StateFilter } from './state-filter.ts'
import type { useFilteredMembers } from './use-filtered-members.ts'
import type { NetworkView } from './use-network-view.ts'
import type { ViewColumns } from './use-view-columns.tsx'

/* Body of the network page: toolbar, and the network as a drawing or a table of members, links or routes. */

interface NetworkToolbarProps extends Pick<NetworkViewsProps, 'list' | 'filter' | 'columns' | 'view'> {
  readonly chips: ReturnType<typeof stateChips>
  readonly total: number
  readonly onView: (view: NetworkView) => void
  readonly onStep: (by: 1 | -1) => void
}

const NONE: readonly string[] = []

const VIEWS = [
  { value: 'graph', label: '拓扑图' },
  { value: 'table', label: '成员' },
  { value: 'links', label: '隧道' },
  { value: 'routes', label: '路由' },
] as const

/** Search, filter chips and choice of the view. Search and chips apply to the view that is shown. */
export function NetworkToolbar({ list, filter, chips, total, columns, view, onView, onStep }: NetworkToolbarProps) {
  const choice = { graph: null, table: columns.members, links: columns.links, routes: null }[view]
  return (
    <div className={styles.bar} role="search" aria-label="查找成员与链路">
      {view !== 'routes' && (
        <>
          <SearchBox
            label={MEMBER_SEARCH_LABEL}
            value={list.search}
            onChange={list.setSearch}
            onStep={view === 'graph' ? onStep : undefined}
          />
          <CountChips<StateFilter>
            label="按状态筛选"
            value={filter}
            total={total}
            chips={chips}
            onChange={(value) => list.setFilter('state', value)}
          />
        </>
      )}
      <span className={styles.views}>
        {choice !== null && <ColumnMenu key={view} choice={choice} />}
        <Segmented<NetworkView> label="展示方式" value={view} options={VIEWS} onChange={onView} />
      </span>
    </div>
  )
}

interface NetworkViewsProps {
  readonly info: NetworkInfo
  readonly projection: Projection
  readonly rates: LinkRates
  readonly shown: ReturnType<typeof useFilteredMembers>
  readonly view: NetworkView
  readonly list: ListState<'state', ViewSort>
  readonly filter: StateFilter | ''
  readonly columns: ViewColumns
  readonly isStale: boolean
  readonly picked: TopologySelection | null
  readonly drawing: RefObject<TopologyHandle>
  readonly onSelect: (picked: TopologySelection | null) => void
  /** Called with the names of the devices on the page of a table; with none for the drawing, which shows them all. */
  readonly onShow: (routerNames: readonly string[]) => void
  readonly toRowActions: (member: Member, settings: readonly RowAction[]) => readonly RowAction[]
}

export function NetworkViews(props: NetworkViewsProps) {
  const { shown, view, list, filter } = props
  if (view === 'graph') return <Graph {...props} />
  if (view === 'routes') return <RoutesView info={props.info} />
  const isLinks = view === 'links'
  const isEmpty = (isLinks ? shown.shownLinks() : shown.shownMembers()).length === 0
  return (
    <div>
      <Panel>
        {isEmpty && isFault(filter) && list.search === '' ? (
          <NothingWrong onClear={list.clear} />
        ) : isLinks ? (
          <LinkTable {...props} />
        ) : (
          <MemberTable {...props} />
        )}
      </Panel>
      {isLinks && hasSoftware(props.info) && (
        <Panel title="软件会话">
          <TunnelTable networkNumber={props.info.network_number} isSoftwareOnly />
        </Panel>
      )}
    </div>
  )
}

const hasSoftware = ({ member }: NetworkInfo): boolean =>
  member.some(({ router_type }) => router_type === ROUTER_TYPE.software)

function Graph({
  info,
  projection,
  rates,
  shown,
  list,
  isStale,
  picked,
  drawing,
  onSelect,
  onShow,
}: NetworkViewsProps) {
  useShownDevices(NONE, onShow)
  const topology = topologyChunk.useModule()
  return (
    <div className={styles.graph}>
      {topology === null ? (
        <Panel>
          <Skeleton lines={12} />
        </Panel>
      ) : (
        <topology.Topology
          ref={drawing}
          networkName={info.network_name}
          popName={isPopExpired(info) ? `${info.fr_name}（已过期）` : info.fr_name}
          projection={projection}
          rates={rates}
          affected={shown.affected}
          isStale={isStale}
          search={list.search}
          dimmed={shown.dimmed}
          selected={picked?.kind === 'member' ? picked.name : null}
          onSelect={onSelect}
          emptyAction={<ManageMembers info={info} />}
        />
      )}
    </div>
  )
}

/** Tells which devices the page shows, once it stays for a moment. */
function useShownDevices(routerNames: readonly string[], onShow: NetworkViewsProps['onShow']): void {
  const key = routerNames.slice(0, LEASE_ROUND.visible).join(' ')
  useEffect(() => {
    const timer = setTimeout(() => onShow(key === '' ? [] : key.split(' ')), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [key, onShow])
}

const SETTLED_MS = 300

function LinkTable({ info, shown, columns, list, picked, onShow }: NetworkViewsProps) {
  const { toName } = shown
  const orders = useMemo(() => linkOrders(toName), [toName])
  const paged = useClientPage(shown.shownLinks(), list, orders)
  const links = paged.query.data?.data ?? []
  useShownDevices([...new Set(links.flatMap((link) => [link.router_name, link.center_router_name]))], onShow)
  const tunnels = links.flatMap(({ id, tunnel }) => (tunnel === undefined ? [] : [id]))
  const bytes = useTunnelBytes(info.network_number, tunnels)
  const shownColumns = columns.links.shown.map((column) =>
    column.key === 'bytes' ? { ...column, cell: ({ id }: Link) => <TunnelBytes bytes={bytes.get(id)} /> } : column,
  )
  return (
    <DataTable
      label="链路"
      {...paged}
      isCurrent={({ id }) => picked?.kind === 'links' && picked.ids.includes(id)}
      columns={shownColumns}
      rowKey={(link) => link.id}
      rowName={(link) => `${toName(link.router_name)} ↔ ${toName(link.center_router_name)}`}
      empty={{ title: '暂无链路', hint: '硬件成员之间的链路在组网有中心点和普通点后出现。' }}
    />
  )
}

/** Centres and points in one table, paged on the client: the API returns all of them. */
function MemberTable(props: NetworkViewsProps) {
  const { info, shown, columns, list, picked, onSelect, onShow, toRowActions } = props
  const isPhone = useMedia(PHONE)
  // On a phone a row has only the ⋯ menu, and a press on the row does the same as a press on the name.
  const Actions = isPhone ? MoreActions : RowActions
  const toSettings = useSettingActions(info)
  const onOpen = ({ router_name: name }: Member) => onSelect({ kind: 'member', name })
  const paged = useClientPage(shown.shownMembers(), list, MEMBER_ORDERS)
  const devices = paged.query.data?.data.filter(({ router_type }) => router_type === ROUTER_TYPE.hardware) ?? []
  useShownDevices(
    devices.map(({ router_name }) => router_name),
    onShow,
  )
  const actions = actionColumn((member: Member) => (
    <Actions
      actions={[{ label: '查看', onSelect: () => onOpen(member) }, ...toRowActions(member, toSettings(member))]}
      subject={memberLabel(member)}
    />
  ))
  return (
    <DataTable
      label="成员"
      {...paged}
      isCurrent={({ router_name }) => picked?.kind === 'member' && picked.name === router_name}
      columns={[...columns.members.shown, actions]}
      rowKey={(member) => member.router_name}
      rowName={memberLabel}
      empty={{ title: '暂无成员', action: <ManageMembers info={info} /> }}
    />
  )
}
