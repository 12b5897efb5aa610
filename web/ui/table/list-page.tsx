import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { ColumnMenu, useColumnChoice } from './column-menu.tsx'
import { DataTable, type Selection, type TableQuery } from './data-table.tsx'
import { FailureStrip } from '#ui/state/failure-strip.tsx'
import { FilterBar } from './filter-bar.tsx'
import { PageHeader, type PageTrail } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { actionColumn, type RowAction, RowActions } from './row-actions.tsx'
import type { Column } from './table-column.ts'
import type { ListState } from './use-list-state.ts'
import { readColumns, type ViewList, writeColumns } from './views/saved-views.ts'
import { ViewMenu } from './views/view-menu.tsx'

/* Frame of every page that is a list: heading, filter bar, table and pager. */

interface ListPageProps<Row, F extends string, S extends string> {
  readonly title: string
  readonly trail?: PageTrail
  readonly facts?: ReactNode
  /** Buttons of the page, the main one last. */
  readonly actions?: ReactNode
  /** Content between heading and table: quota, notices. */
  readonly above?: ReactNode
  /** Wraps everything below the heading, e.g. in the tab of one kind of rows. */
  readonly wrap?: (content: ReactNode) => ReactNode

  /** Search, filters, order and page in the address: `useListState({ state: '' }, SORTS)`. */
  readonly list: ListState<F, S>
  /** The hook of the feature's api.ts, called with `list`. */
  readonly query: TableQuery<Row>
  /** Name of the rows, such as 组网; by default the title. Another one resets the table; chosen columns are stored by it. */
  readonly label?: string
  /** A click on its heading sorts by a column with `sort`. */
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly toRowActions?: (row: Row) => readonly RowAction[]
  /** Name of a row for screen readers; by default its key. */
  readonly rowName?: (row: Row) => string
  /** Check boxes, and the bar of bulk actions: one call each. */
  readonly selection?: Selection<Row> | undefined
  /** Called on a click on a row; one of its actions does the same. */
  readonly onPick?: ((row: Row) => void) | undefined
  /** Number of rows on the page that no longer match the filter, on a live list. */
  readonly outdated?: number

  /** Label of the search box: 搜索组网名称或编号. Without it there is no search box. */
  readonly searchLabel?: string
  /** List of saved views. Without it nothing can be saved. */
  readonly views?: ViewList
  /** `FilterSwitch` and other controls beside the search box. */
  readonly filters?: ReactNode
  /** Empty list: text about its future rows, and the button that creates the first one. */
  readonly empty: { readonly hint: ReactNode; readonly action?: ReactNode }
  readonly children?: ReactNode
}

/**
 * The table handles skeleton, the three empty states, pager, and the step back from a page that a deletion has emptied.
 * One strip above shows all load failures; `facts` and `above` report theirs with `useReportedFailure`.
 *
 *     const list = useListState({}, NETWORK_SORTS)
 *     const query = useNetworks(list)
 *     <ListPage title="组网列表" label="组网" searchLabel="搜索组网名称或编号" empty={{ hint: '…', action: create }}
 *       {...{ list, query, columns, rowKey, toRowActions }} />
 */
export function ListPage<Row, F extends string, S extends string>(props: ListPageProps<Row, F, S>) {
  const {
    title,
    trail,
    facts,
    actions,
    above,
    label = title,
    rowKey,
    toRowActions,
    rowName = rowKey,
    wrap,
    children,
  } = props
  const columns =
    toRowActions === undefined
      ? props.columns
      : [
          ...props.columns,
          actionColumn((row: Row) => <RowActions actions={toRowActions(row)} subject={rowName(row)} />),
        ]
  const content = (
    <>
      {above}
      <Panel>
        <ListTable key={label} {...props} label={label} columns={columns} />
      </Panel>
    </>
  )
  return (
    <>
      <FailureStrip>
        <PageHeader title={title} facts={facts} actions={actions} {...(trail !== undefined && { trail })} />
        {wrap === undefined ? content : wrap(content)}
      </FailureStrip>
      {children}
    </>
  )
}

function ListTable<Row, F extends string, S extends string>(props: ListPageProps<Row, F, S> & { label: string }) {
  const {
    label,
    columns,
    list,
    query,
    rowKey,
    rowName,
    selection,
    onPick,
    outdated = 0,
    searchLabel,
    filters,
    empty,
    views,
  } = props
  const [address, setAddress] = useSearchParams()
  const inAddress = readColumns(address)
  const onChange = (keys: ReadonlySet<string>) => setAddress((now) => writeColumns(now, keys), { replace: true })
  const { shown, turned, ...choice } = useColumnChoice(label, columns, inAddress && { keys: inAddress, onChange })
  /** The choice of columns alone needs no tool row, unless some are hidden at first. */
  const hasTools = searchLabel !== undefined || filters !== undefined || columns.some(({ isOptional }) => isOptional)
  return (
    <>
      {hasTools && (
        <FilterBar
          list={list}
          {...(searchLabel !== undefined && { searchLabel })}
          actions={
            <>
              {views !== undefined && <ViewMenu list={views} columns={turned} />}
              <ColumnMenu choice={choice} />
            </>
          }
        >
          {filters}
        </FilterBar>
      )}
      <DataTable
        columns={shown}
        list={list}
        {...{ label, query, rowKey, rowName, selection, onPick, outdated, empty }}
      />
    </>
  )
}
