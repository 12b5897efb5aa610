import { ColumnMenu } from '#ui/table/column-menu.tsx'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { SearchBox } from '#ui/table/filter-bar.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import type { ListState } from '#ui/table/use-list-state.ts'
import { MEMBER_SEARCH_LABEL } from '../network-text.ts'
import type { stateChips, StateFilter } from './state-filter.ts'
import type { NetworkView } from './use-network-view.ts'
import type { ViewColumns } from './use-view-columns.ts'
import styles from './network-detail.module.css'

interface NetworkToolbarProps {
  readonly list: ListState<'state'>
  readonly filter: StateFilter | ''
  readonly chips: ReturnType<typeof stateChips>
  readonly total: number
  readonly columns: ViewColumns
  readonly view: NetworkView
  readonly onView: (view: NetworkView) => void
  /** Walks through the matches in the drawing. */
  readonly onStep: (by: 1 | -1) => void
}

const VIEWS = [
  { value: 'graph', label: '拓扑图' },
  { value: 'table', label: '成员' },
  { value: 'links', label: '链路' },
] as const

/** Search, chips and view: what is searched and chosen here applies to the view that is shown. */
export function NetworkToolbar({ list, filter, chips, total, columns, view, onView, onStep }: NetworkToolbarProps) {
  const choice = { graph: null, table: columns.members, links: columns.links }[view]
  return (
    <div className={styles.bar} role="search" aria-label="查找成员与链路">
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
      <span className={styles.views}>
        {choice !== null && <ColumnMenu key={view} choice={choice} />}
        <Segmented<NetworkView> label="展示方式" value={view} options={VIEWS} onChange={onView} />
      </span>
    </div>
  )
}
