import type { ReactNode } from 'react'
import { DataTable, type TableQuery } from './data-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { PageHeader } from './page-header.tsx'
import { Panel } from './panel.tsx'
import { type RowAction, RowActions } from './row-actions.tsx'
import type { Column } from './table-parts.tsx'
import type { ListState } from './use-list-state.ts'

interface ListPageProps<Row, F extends string> {
  readonly title: string
  /** Counts and the like, under the title. */
  readonly facts?: ReactNode
  /** Buttons of the page, the main one last. */
  readonly actions?: ReactNode
  /** Between heading and table: quota, notices. */
  readonly above?: ReactNode
  /** Wraps everything below the heading, e.g. in the tab of one kind of rows. */
  readonly wrap?: (content: ReactNode) => ReactNode

  /** Search, filters and page in the address: `useListState({ state: '' })`. */
  readonly list: ListState<F>
  /** The hook of the feature's api.ts, called with `list`. */
  readonly query: TableQuery<Row>
  /** Names the rows: 组网. Another label resets the table. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** Actions of a row, in a column of their own. */
  readonly toRowActions?: (row: Row) => readonly RowAction[]
  /** Names a row to screen readers; its key unless given. */
  readonly rowName?: (row: Row) => string

  /** What is searched: 搜索组网名称或编号. Without it there is no search box. */
  readonly searchLabel?: string
  /** `FilterSwitch` and other controls beside the search box. */
  readonly filters?: ReactNode
  /** For a list that has nothing yet: what would be in it, and the button that makes the first. */
  readonly empty: { readonly hint: ReactNode; readonly action?: ReactNode }
  /** Dialogs and drawers that are open. */
  readonly children?: ReactNode
}

/**
 * A page that is a list. Skeleton, the three empty states, the error state with a retry, the pager, and the step back
 * from a page that a deletion has emptied are the table's.
 *
 *     const list = useListState({})
 *     const query = useNetworks(list)
 *     <ListPage title="组网列表" label="组网" searchLabel="搜索组网名称或编号" empty={{ hint: '…', action: create }}
 *       {...{ list, query, columns, rowKey, toRowActions }} />
 */
export function ListPage<Row, F extends string>(props: ListPageProps<Row, F>) {
  const { title, facts, actions, above, list, query, label, rowKey, toRowActions, rowName = rowKey } = props
  const { columns, searchLabel, filters, empty, wrap, children } = props
  const actionColumn: Column<Row> = {
    key: 'actions',
    title: '操作',
    align: 'right',
    sticky: 'end',
    cell: (row) => <RowActions actions={toRowActions?.(row) ?? []} subject={rowName(row)} />,
  }
  const hasFilters = searchLabel !== undefined || filters !== undefined
  const content = (
    <>
      {above}
      <Panel>
        {hasFilters && (
          <FilterBar key={`filters of ${label}`} list={list} {...(searchLabel !== undefined && { searchLabel })}>
            {filters}
          </FilterBar>
        )}
        <DataTable
          key={label}
          label={label}
          query={query}
          columns={toRowActions === undefined ? columns : [...columns, actionColumn]}
          rowKey={rowKey}
          list={list}
          empty={empty}
        />
      </Panel>
    </>
  )
  return (
    <>
      <PageHeader title={title} facts={facts} actions={actions} />
      {wrap === undefined ? content : wrap(content)}
      {children}
    </>
  )
}
