import { type RefObject, useMemo } from 'react'
import { Panel } from '#ui/layout/panel.tsx'
import { NothingWrong } from '#ui/state/states.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-rows.tsx'
import type { ListState } from '#ui/table/use-list-state.ts'
import { type ViewSort, linkOrders } from '../network-order.ts'
import type { Member, NetworkInfo, Projection, Link } from '../projection.ts'
import { isPopExpired } from '../settings/setting-text.ts'
import { isFault, type StateFilter } from './state-filter.ts'
import { topologyChunk } from '../topology/load-topology.ts'
import { TopologySkeleton } from '../topology/topology-skeleton.tsx'
import type { Picked, TopologyHandle } from '../topology/topology.tsx'
import type { NetworkView } from './use-network-view.ts'
import type { useFilteredMembers } from './use-filtered-members.ts'
import type { ViewColumns } from './use-view-columns.ts'
import { ManageMembers } from '../list/empty-actions.tsx'
import { MemberTable } from '../members/member-table.tsx'
import styles from './network-detail.module.css'

interface NetworkViewsProps {
  readonly info: NetworkInfo
  readonly projection: Projection
  readonly shown: ReturnType<typeof useFilteredMembers>
  readonly view: NetworkView
  readonly list: ListState<'state', ViewSort>
  readonly filter: StateFilter | ''
  readonly columns: ViewColumns
  readonly isStale: boolean
  readonly picked: Picked | null
  readonly drawing: RefObject<TopologyHandle>
  readonly onSelect: (picked: Picked | null) => void
  readonly toRowActions: (member: Member) => readonly RowAction[]
}

/** The drawing, the members or the links of one network. */
export function NetworkViews(props: NetworkViewsProps) {
  const { info, shown, view, list, filter, columns, picked, onSelect, toRowActions } = props
  const isFaultFilter = isFault(filter) && list.search === ''
  if (view === 'graph') return <Graph {...props} />
  if (view === 'links')
    return (
      <LinkTable
        links={shown.shownLinks()}
        columns={columns.links.shown}
        toName={shown.toName}
        {...{ list, isFaultFilter }}
        isCurrent={({ id }) => picked?.kind === 'links' && picked.ids.includes(id)}
      />
    )
  return (
    <MemberTable
      members={shown.shownMembers()}
      columns={columns.members.shown}
      onOpen={({ router_name }) => onSelect({ kind: 'member', name: router_name })}
      isCurrent={({ router_name }) => picked?.kind === 'member' && picked.name === router_name}
      {...{ list, isFaultFilter, toRowActions }}
      emptyAction={<ManageMembers info={info} />}
    />
  )
}

/** Graph of the network, which fills the rest of the window. */
function Graph({ info, projection, shown, list, isStale, picked, drawing, onSelect }: NetworkViewsProps) {
  const topology = topologyChunk.useModule()
  return (
    <div className={styles.graph}>
      {topology === null ? (
        <TopologySkeleton />
      ) : (
        <topology.Topology
          ref={drawing}
          networkName={info.network_name}
          popName={isPopExpired(info) ? `${info.fr_name}（已过期）` : info.fr_name}
          projection={projection}
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

interface LinkTableProps {
  /** Links that search and chip leave, in their order. */
  readonly links: readonly Link[]
  /** Columns that a person has chosen. */
  readonly columns: readonly Column<Link>[]
  readonly list: ListState<'state', ViewSort>
  readonly isFaultFilter: boolean
  readonly toName: (routerName: string) => string
  /** The link's panel is open. */
  readonly isCurrent: (link: Link) => boolean
}

/** Links of the network (network 3), paged on the client. */
function LinkTable({ links, columns, list, isFaultFilter, isCurrent, toName }: LinkTableProps) {
  const paged = useClientPage(
    links,
    list,
    useMemo(() => linkOrders(toName), [toName]),
  )
  if (links.length === 0 && isFaultFilter)
    return (
      <Panel>
        <NothingWrong onClear={list.clear} />
      </Panel>
    )
  return (
    <Panel>
      <DataTable
        label="链路"
        {...paged}
        isCurrent={isCurrent}
        columns={columns}
        rowKey={(link) => link.id}
        rowName={(link) => `${toName(link.router_name)} ↔ ${toName(link.center_router_name)}`}
        empty={{ title: '暂无链路', hint: '硬件成员之间的链路在组网有中心点和普通点后出现。' }}
      />
    </Panel>
  )
}
