import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect, useRef, useState, type FocusEvent, type RefObject, useLayoutEffect } from 'react'
import { RESULT } from '#contract/kernel/result.ts'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { countText } from '#lib/format/format-unit.ts'
import { useLatest } from '#lib/use-latest.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { pageCount } from './pager/pager-window.ts'
import { Pager } from './pager/pager.tsx'
import './data-table.css'
import { NoPermission, NothingFound, NothingYet } from '#ui/state/page-states.tsx'
import type { Column } from './table-column.ts'
import { TableBody, TableHead, TableScroll, TableSkeleton, type TableSort } from './table-rows.tsx'
import { useDelayed } from '#ui/hooks/use-delays.ts'
import { MAIN_ID } from '#ui/layout/main-area.tsx'
import { FailedPart } from '#ui/state/failure-strip.tsx'
import type { ListState } from './use-list-state.ts'

/* Table of a list: rows, selection, pager, and its loading, empty and error states. */

const DIM_AFTER_MS = 500

/** Result of a list endpoint's hook: an SWR response whose data is a reply. */
export interface TableQuery<Row> {
  readonly data?: { readonly data: readonly Row[]; readonly count?: number; readonly capped?: 0 | 1 } | undefined
  readonly error?: unknown
  readonly isValidating: boolean
  readonly mutate: () => unknown
}

export interface Selection<Row> {
  readonly keys: ReadonlySet<string>
  readonly onChange: (keys: ReadonlySet<string>) => void
  /** Buttons of the bar that appears with the first selected row; null if the page itself shows the selection. */
  readonly actions: ReactNode
  readonly canSelect?: (row: Row) => boolean
}

type ListProps = Pick<ListState, 'page' | 'setPage' | 'isNarrowed' | 'clear'> &
  Partial<Pick<ListState, 'limit' | 'setLimit' | 'sort' | 'order' | 'setSort'>>

interface DataTableProps<Row> {
  readonly label: string
  readonly query: TableQuery<Row>
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** Name of a row for screen readers; by default its key. */
  readonly rowName?: ((row: Row) => string) | undefined
  /** Omit it for a list without pages. With `setSort` and `setLimit` the user can sort and choose the page size. */
  readonly list?: ListProps
  readonly selection?: Selection<Row> | undefined
  /** True for the row whose details are open beside the table. */
  readonly isCurrent?: (row: Row) => boolean
  /** Called on a click on a row; an action of the row does the same for the keyboard. */
  readonly onPick?: ((row: Row) => void) | undefined
  /** Number of rows of this page that no longer match the filter; they stay until the list is read again. */
  readonly outdated?: number
  /** No cell can take the focus; then the scrolling box can. */
  readonly isReadOnly?: boolean
  /** Empty state before the first entry; the sentence is the specification's. */
  readonly empty?: { readonly title?: string; readonly hint?: ReactNode; readonly action?: ReactNode }
}

function OutdatedRows({ count, onRefresh }: { count: number; onRefresh: () => unknown }) {
  return (
    <div className="nl-flow nl-outdated" role="status">
      <span>{countText(count)} 行已不符合筛选</span>
      <Button theme="borderless" size="small" onClick={() => void onRefresh()}>
        刷新
      </Button>
    </div>
  )
}

type StatusProps<Row> = Pick<DataTableProps<Row>, 'label' | 'list' | 'query'> & {
  readonly reply: TableQuery<Row>['data']
}

/** Announces the number of rows after each read: search, filter, page turn. */
function TableStatus<Row>({ label, list, query, reply }: StatusProps<Row>) {
  return (
    <span className="nl-sr" role="status">
      {reply !== undefined && !query.isValidating && resultText(label, list, reply)}
    </span>
  )
}

function resultText<Row>(
  label: string,
  list: StatusProps<Row>['list'],
  { data, count = data.length }: NonNullable<TableQuery<Row>['data']>,
): string {
  if (count === 0) return list?.isNarrowed ? `没有符合筛选的${label}` : `还没有${label}`
  const page = list !== undefined && list.page > 1 ? `，第 ${list.page} 页` : ''
  return `${label} ${countText(count)} 条${page}`
}

/**
 * Built on plain markup: Semi's table adds 117 kB of compressed script, this one 17 with pager, selection and states.
 * Columns drop out as the table becomes narrower; below 560 px a row has two lines. While a page loads, the earlier rows
 * stay, dimmed after half a second. Rows keep their identity between renders, as SWR's do.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { query, list, rowKey } = props
  const box = useRef<HTMLDivElement>(null)
  const reply = useLast(query.data)
  const isPastEnd = useStepBack(list, query.isValidating ? undefined : reply)
  const onFocus = useRowFocus((reply?.data ?? []).map(rowKey), box)
  const hasFailed = query.data === undefined && query.error !== undefined && query.error !== null
  const shown = hasFailed || isPastEnd ? undefined : reply
  return (
    <div ref={box} className="nl-table-box" tabIndex={-1} onFocus={onFocus}>
      <TableStatus {...props} reply={shown} />
      {hasFailed ? <Failure query={query} /> : <Content {...props} reply={shown} />}
    </div>
  )
}

function Failure<Row>({ query }: Pick<DataTableProps<Row>, 'query'>) {
  const { code, message } = toErrorView(query.error)
  if (code === RESULT.forbidden) return <NoPermission reason={message} />
  return <FailedPart error={query.error} onRetry={query.mutate} />
}

type ContentProps<Row> = DataTableProps<Row> & { readonly reply: TableQuery<Row>['data'] }

function Content<Row>(props: ContentProps<Row>) {
  if (props.reply?.data.length !== 0) return <Sheet {...props} />
  return props.list?.isNarrowed ? <NothingFound onClear={props.list.clear} /> : <NothingYet {...props.empty} />
}

/** Bulk actions, sticky at the bottom of the window while rows are selected. */
function SelectionBar({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  if (count === 0) return null
  return (
    <div className="nl-flow nl-selection" role="region" aria-label="已选内容">
      <span aria-live="polite">
        已选 <strong>{countText(count)}</strong> 项
      </span>
      <Button theme="borderless" onClick={onClear}>
        清除选择
      </Button>
      <span className="nl-flow nl-selection-actions">{children}</span>
    </div>
  )
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
  const {
    label,
    query,
    columns,
    rowKey,
    rowName = rowKey,
    isCurrent,
    onPick,
    list,
    selection,
    isReadOnly,
    reply,
  } = props
  const dimmed = useDelayed(query.isValidating && reply !== undefined, DIM_AFTER_MS)
  const rows = reply?.data ?? []
  const layout = columns.some(({ phone }) => phone !== undefined) ? 'nl-compact' : 'nl-cards'
  return (
    <TableScroll {...(isReadOnly && { tabIndex: 0, role: 'group', 'aria-label': label })}>
      <table className={`nl-table ${layout}`} role="table" aria-label={label} aria-busy={query.isValidating}>
        <TableHead {...{ columns, rows, rowKey, selection }} sort={toSort(list)} />
        {reply === undefined ? (
          <TableSkeleton columns={columns} selectable={selection !== undefined} />
        ) : (
          <TableBody {...{ columns, rows, rowKey, rowName, isCurrent, onPick, selection, dimmed }} />
        )}
      </table>
    </TableScroll>
  )
}

function toSort({ sort, order, setSort }: Partial<ListProps> = {}): TableSort | undefined {
  return sort !== undefined && order && setSort ? { sort, order, setSort } : undefined
}

/** The previous reply while the next one loads. */
function useLast<Row>(data: TableQuery<Row>['data']): TableQuery<Row>['data'] {
  const [last, setLast] = useState(data)
  if (data !== undefined && data.data !== last?.data) setLast(data)
  return data ?? last
}

/** Steps back from a page that a deletion has emptied (account 2), at most to the last existing page. */
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

const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled])'

interface Place {
  readonly key: string
  readonly index: number
}

/**
 * Keeps the focus in the table when the focused row, or the row that opened a dialog, is gone: the row in its place gets
 * it, without rows the box of the table. Spread `onFocus` over that box.
 */
function useRowFocus(keys: readonly string[], box: RefObject<HTMLElement | null>) {
  const place = useRef<Place | null>(null)
  const lost = useRef<Place | null>(null)
  const joined = keys.join('\n')

  useLayoutEffect(() => {
    const at = place.current
    if (at === null || joined.split('\n').includes(at.key)) return
    place.current = null
    lost.current = at
    if (isNowhere(document.activeElement)) restoreFocus(box.current, lost)
  }, [joined, box])

  // A dialog that closes after its row is gone gives the focus to the page.
  useEffect(() => {
    const onFocusIn = ({ target }: Event) => {
      if (lost.current === null || !(target instanceof Element)) return
      if (isNowhere(target)) restoreFocus(box.current, lost)
      else if (target.closest('[aria-modal]') === null) lost.current = null
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [box])

  return (event: FocusEvent) => {
    const row = event.target.closest<HTMLElement>('[data-row]')
    const key = row?.dataset['row']
    place.current = key === undefined ? null : { key, index: keys.indexOf(key) }
  }
}

const isNowhere = (element: Element | null): boolean =>
  element === null || element === document.body || element.id === MAIN_ID

function restoreFocus(box: HTMLElement | null, lost: { current: Place | null }): void {
  const rows = box?.querySelectorAll<HTMLElement>('[data-row]') ?? []
  const row = rows[Math.min(lost.current?.index ?? 0, rows.length - 1)]
  lost.current = null
  const target =
    row?.querySelector<HTMLElement>(`.nl-name :is(${FOCUSABLE})`) ?? row?.querySelector<HTMLElement>(FOCUSABLE)
  const place = target ?? box
  place?.focus({ preventScroll: true })
}
