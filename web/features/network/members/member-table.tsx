import type { ReactNode } from 'react'
import { memberLabel } from '#lib/format/member-label.ts'
import { DataTable } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { MoreActions, type RowAction, RowActions } from '#ui/table/row-actions.tsx'
import { NothingWrong } from '#ui/state/states.tsx'
import type { Column } from '#ui/table/table-rows.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import { PHONE, useMedia } from '#ui/hooks/use-media.ts'
import type { ListState } from '#ui/table/use-list-state.ts'
import { MEMBER_ORDERS, type ViewSort } from '../network-order.ts'
import type { Member } from '../projection.ts'

interface MemberTableProps {
  /** Members that search and chip leave, in their order. */
  readonly members: readonly Member[]
  /** Columns that a person has chosen. */
  readonly columns: readonly Column<Member>[]
  readonly list: ListState<'state', ViewSort>
  /** The chip asks for faults, and nothing is searched: an empty table is good news. */
  readonly isFaultFilter: boolean
  /** The member's panel is open. */
  readonly isCurrent: (member: Member) => boolean
  readonly onOpen: (member: Member) => void
  readonly toRowActions: (member: Member) => readonly RowAction[]
  readonly emptyAction: ReactNode
}

/** Centres and points in one table, paged on the client: the API returns all of them. */
export function MemberTable(props: MemberTableProps) {
  const { members, columns, list, isFaultFilter, isCurrent, onOpen, toRowActions, emptyAction } = props
  const paged = useClientPage(members, list, MEMBER_ORDERS)
  const isPhone = useMedia(PHONE)
  const actions: Column<Member> = {
    key: 'actions',
    title: '操作',
    align: 'right',
    sticky: 'end',
    cell: (member) => (
      <Actions
        actions={[{ label: '查看', onSelect: () => onOpen(member) }, ...toRowActions(member)]}
        subject={memberLabel(member)}
      />
    ),
  }
  // A row of a phone shows ⋯ alone, and a press on it follows the name.
  const Actions = isPhone ? MoreActions : RowActions
  if (members.length === 0 && isFaultFilter)
    return (
      <Panel>
        <NothingWrong onClear={list.clear} />
      </Panel>
    )
  return (
    <Panel>
      <DataTable
        label="成员"
        {...paged}
        isCurrent={isCurrent}
        columns={[...columns, actions]}
        rowKey={(member) => member.router_name}
        rowName={memberLabel}
        empty={{ title: '暂无成员', action: emptyAction }}
      />
    </Panel>
  )
}
