import { useMemo } from 'react'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import type { RowAction } from '../../../ui/row-actions.tsx'
import { type ListState, useLocalListState } from '../../../ui/use-list-state.ts'
import { isMatch } from '../picker.ts'
import type { Link, Member } from '../projection.ts'
import { LinkTable } from './link-table.tsx'
import { MemberTable } from './member-table.tsx'
import styles from './member-tables.module.css'

interface MemberTablesProps {
  readonly members: readonly Member[]
  readonly links: readonly Link[]
  readonly list: ListState<'state'>
  readonly isStale: boolean
  readonly toRowActions: (member: Member) => readonly RowAction[]
}

const NO_FILTERS = {}

/** Centres, then points, then links; the search applies to all, the state filter to members. The page in the address is that of the points. */
export function MemberTables({ members, links, list, isStale, toRowActions }: MemberTablesProps) {
  const centerPages = useLocalListState(NO_FILTERS)
  const { search } = list
  const { state } = list.filters
  const shown = useMemo(
    () => members.filter((member) => isMatch(member, search) && (state === '' || member.presence.state === state)),
    [members, search, state],
  )
  const centers = useMemo(() => shown.filter(({ member_type }) => member_type === 'center'), [shown])
  const points = useMemo(() => shown.filter(({ member_type }) => member_type === 'point'), [shown])
  const pages = { ...list, page: centerPages.page, setPage: centerPages.setPage }
  return (
    <div className={styles.tables}>
      <FilterBar list={list} searchLabel="搜索备注、序列号或账号" />
      <MemberTable role="center" members={centers} list={pages} {...{ isStale, toRowActions }} />
      <MemberTable role="point" members={points} list={list} {...{ isStale, toRowActions }} />
      <LinkTable {...{ links, search, isStale }} />
    </div>
  )
}
