import { useMemo } from 'react'
import { DataTable } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { NothingWrong } from '#ui/state/states.tsx'
import type { Column } from '#ui/table/table-rows.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import type { ListState } from '#ui/table/use-list-state.ts'
import { linkOrders, type ViewSort } from '../network-order.ts'
import type { Link } from '../projection.ts'

interface LinkTableProps {
  /** Links that search and chip leave, in their order. */
  readonly links: readonly Link[]
  /** Columns that a person has chosen. */
  readonly columns: readonly Column<Link>[]
  readonly list: ListState<'state', ViewSort>
  readonly isFaultFilter: boolean
  readonly toName: (routerName: string) => string
  /** Whether the link's panel is open. */
  readonly isCurrent: (link: Link) => boolean
}

/** Links of the network (network 3), paged on the client. */
export function LinkTable({ links, columns, list, isFaultFilter, isCurrent, toName }: LinkTableProps) {
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
