import { type ReactNode, useEffect, useRef, useState } from 'react'
import { RESULT } from '#contract/kernel/result.ts'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { useLatest } from '#lib/use-latest.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { FailedPart } from '#ui/state/failed-part.tsx'
import { pageCount } from './pager/pager-window.ts'
import { Pager } from './pager/pager.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { NoPermission, NothingFound, NothingYet } from '#ui/state/states.tsx'
import type { Column } from './table-column.ts'
import { OutdatedRows, TableStatus } from './table-notes.tsx'
import { TableBody, TableHead, TableScroll, TableSkeleton } from './table-rows.tsx'
import type { TableSort } from './table-sort.tsx'
import { useDelayed } from '#ui/hooks/use-delayed.ts'
import type { ListState } from './use-list-state.ts'
import { useRowFocus } from './use-row-focus.ts'

const DIM_AFTER_MS = 500

/** What a list endpoint's hook gives: an SWR response whose data is a reply. */
export interface TableQuery<Row> {
  readonly data?: { readonly data: readonly Row[]; readonly count?: number; readonly capped?: 0 | 1 } | undefined
  readonly error?: unknown
  readonly isValidating: boolean
  readonly mutate: () => unknown
}

export interface Selection<Row> {
  readonly keys: ReadonlySet<string>
  readonly onChange: (keys: ReadonlySet<string>) => void
  /** Buttons of the bar that appears with the first selected row; null where the page says itself what is selected. */
  readonly actions: ReactNode
  readonly canSelect?: (row: Row) => boolean
}

type ListProps = Pick<ListState, 'page' | 'setPage' | 'isNarrowed' | 'clear'> &
  Partial<Pick<ListState, 'limit' | 'setLimit' | 'sort' | 'order' | 'setSort'>>

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string
  readonly query: TableQuery<Row>
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** Names a row to screen readers; its key unless given. */
  readonly rowName?: ((row: Row) => string) | undefined
  /** Omit for a list that is not paged. With `setSort` and `setLimit` it can be sorted and its page size chosen. */
  readonly list?: ListProps
  readonly selection?: Selection<Row> | undefined
  /** Its details are open beside the table. */
  readonly isCurrent?: (row: Row) => boolean
  /** Rows of this page that no longer match the filter: they stay where they are until the list is read again. */
  readonly outdated?: number
  /** Nothing in it can be focused: the box that scrolls it can. */
  readonly isReadOnly?: boolean
  /** Empty state before the first entry; the sentence is the specification's. */
  readonly empty?: { readonly title?: string; readonly hint?: ReactNode; readonly action?: ReactNode }
}

/**
 * A table on plain markup: Semi's adds 117 kB of compressed script, this one 17 with its pager, selection and states.
 * Columns drop out as it becomes narrower; below 560 px a row is two lines. While a page is fetched the rows before stay,
 * dimmed after half a second. Rows keep their identity between renders, as SWR's do.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, list, rowKey } = props
  const box = useRef<HTMLDivElement>(null)
  const reply = useLast(query.data)
  const isPastEnd = useStepBack(list, query.isValidating ? undefined : reply)
  const onFocus = useRowFocus((reply?.data ?? []).map(rowKey), box)
  const hasFailed = query.data === undefined && isFailure(query.error)
  const shown = hasFailed || isPastEnd ? undefined : reply
  return (
    <div ref={box} className="nl-table-box" tabIndex={-1} onFocus={onFocus}>
      <TableStatus {...props} reply={shown} />
      {hasFailed ? <Failure query={query} /> : <Content {...props} reply={shown} />}
    </div>
  )
}

function Failure<Row>({ query }: Pick<DataTableProps<Row>, 'query'>) {
  if (toErrorView(query.error).code === RESULT.forbidden) return <NoPermission />
  return <FailedPart error={query.error} onRetry={query.mutate} />
}

type ContentProps<Row> = DataTableProps<Row> & { readonly reply: TableQuery<Row>['data'] }

function Content<Row>(props: ContentProps<Row>) {
  if (props.reply?.data.length !== 0) return <Sheet {...props} />
  return props.list?.isNarrowed ? <NothingFound onClear={props.list.clear} /> : <NothingYet {...props.empty} />
}

function Sheet<Row>(props: ContentProps<Row>) {
  const { query, list, selection, outdated = 0, reply } = props
  return (
    <>
      {outdated > 0 && <OutdatedRows count={outdated} onRefresh={query.mutate} />}
      <Grid {...props} />
      {selection !== undefined && selection.actions !== null && (
        <SelectionBar count={selection.keys.size} onClear={() => selection.onChange(new Set())}>
          {selection.actions}
        </SelectionBar>
      )}
      {list !== undefined && reply !== undefined && (
        <Pager
          page={list.page}
          rowCount={reply.count ?? 0}
          isCapped={reply.capped === 1}
          onPage={list.setPage}
          pageSize={list.limit ?? PAGE_SIZE}
          onPageSize={list.setLimit}
        />
      )}
    </>
  )
}

function Grid<Row>(props: ContentProps<Row>) {
  const { label, query, columns, rowKey, rowName = rowKey, isCurrent, list, selection, isReadOnly, reply } = props
  const dimmed = useDelayed(query.isValidating && reply !== undefined, DIM_AFTER_MS)
  const rows = reply?.data ?? []
  const layout = columns.some(({ phone }) => phone !== undefined) ? 'nl-compact' : 'nl-cards'
  return (
    <TableScroll {...(isReadOnly && { tabIndex: 0, role: 'region', 'aria-label': label })}>
      <table className={`nl-table ${layout}`} role="table" aria-label={label} aria-busy={query.isValidating}>
        <TableHead {...{ columns, rows, rowKey, selection }} sort={toSort(list)} />
        {reply === undefined ? (
          <TableSkeleton columns={columns} selectable={selection !== undefined} />
        ) : (
          <TableBody {...{ columns, rows, rowKey, rowName, isCurrent, selection, dimmed }} />
        )}
      </table>
    </TableScroll>
  )
}

function toSort({ sort, order, setSort }: Partial<ListProps> = {}): TableSort | undefined {
  return sort !== undefined && order && setSort ? { sort, order, setSort } : undefined
}

function isFailure(error: unknown): boolean {
  return error !== undefined && error !== null
}

/** The previous reply while the next one loads. */
function useLast<Row>(data: TableQuery<Row>['data']): TableQuery<Row>['data'] {
  const [last, setLast] = useState(data)
  if (data !== undefined && data.data !== last?.data) setLast(data)
  return data ?? last
}

/** After a deletion an empty page beyond the first steps back (account 2), at most to the last page there is. */
function useStepBack<Row>(list: ListProps | undefined, reply: TableQuery<Row>['data']): boolean {
  const page = list?.page ?? 1
  const pages = pageCount(reply?.count ?? 0, list?.limit)
  const isPastEnd = page > 1 && reply?.data.length === 0
  const setPage = useLatest(list?.setPage)
  useEffect(() => {
    if (isPastEnd) setPage.current?.(Math.min(page - 1, pages))
  }, [isPastEnd, page, pages, setPage])
  return isPastEnd
}
