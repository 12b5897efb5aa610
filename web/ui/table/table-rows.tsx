import { type HTMLAttributes, type MouseEvent, useCallback, useRef } from 'react'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import './data-table.css'
import './data-table-phone.css'
import type { Selection } from './data-table.tsx'
import { type Column, columnClass } from './table-column.ts'
import type { ListState } from './use-list-state.ts'

/* Parts of a table: scrolling box, head with sorting, body with selection, skeleton. */

/** Marks a box with hidden content at its left or right edge: `data-more="start end"`. */
function useScrollShadow(): (box: HTMLElement | null) => void {
  const release = useRef<() => void>(undefined)
  return useCallback((box: HTMLElement | null) => {
    release.current?.()
    release.current = undefined
    if (box === null) return
    const mark = () => {
      const left = box.scrollWidth - box.clientWidth - box.scrollLeft
      const more = [box.scrollLeft > 1 && 'start', left > 1 && 'end'].filter(Boolean).join(' ')
      if (box.dataset['more'] !== more) box.dataset['more'] = more
    }
    const watch = new ResizeObserver(mark)
    watch.observe(box)
    for (const child of box.children) watch.observe(child)
    box.addEventListener('scroll', mark, { passive: true })
    release.current = () => {
      watch.disconnect()
      box.removeEventListener('scroll', mark)
    }
  }, [])
}

/** Scrolling box of a table, with a shadow at the edges that hide more; it imports the styles of tables. */
export function TableScroll(props: Omit<HTMLAttributes<HTMLDivElement>, 'className'>) {
  const box = useScrollShadow()
  return <div ref={box} className="nl-table-scroll" {...props} />
}

interface PartProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly selection: Selection<Row> | undefined
}

interface HeadProps<Row> extends PartProps<Row> {
  readonly sort: TableSort | undefined
}

export function TableHead<Row>({ columns, rows, rowKey, selection, sort }: HeadProps<Row>) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {selection !== undefined && (
          <th role="columnheader" scope="col" className="nl-check">
            <SelectAll
              choices={rows.filter((row) => selection.canSelect?.(row) ?? true).map(rowKey)}
              keys={selection.keys}
              onChange={selection.onChange}
            />
          </th>
        )}
        {columns.map((column) => (
          <SortHeading key={column.key} column={column} sort={sort} />
        ))}
      </tr>
    </thead>
  )
}

interface SelectAllProps extends Pick<Selection<never>, 'keys' | 'onChange'> {
  /** Keys of the rows of this page that may be selected. */
  readonly choices: readonly string[]
}

function SelectAll({ choices, keys, onChange }: SelectAllProps) {
  const chosen = choices.filter((key) => keys.has(key)).length
  const all = choices.length > 0 && chosen === choices.length
  const toggle = () => {
    const next = new Set(keys)
    for (const key of choices) {
      if (all) next.delete(key)
      else next.add(key)
    }
    onChange(next)
  }
  return (
    <input
      type="checkbox"
      aria-label="选择本页全部"
      checked={all}
      disabled={choices.length === 0}
      ref={(box) => {
        if (box !== null) box.indeterminate = chosen > 0 && !all
      }}
      onChange={toggle}
    />
  )
}

interface BodyProps<Row> extends PartProps<Row> {
  readonly rowName: (row: Row) => string
  readonly isCurrent: ((row: Row) => boolean) | undefined
  readonly onPick: ((row: Row) => void) | undefined
  readonly dimmed: boolean
}

/** True for a click on the row itself: not on a control in it, and not the end of a selection of text. */
function isOnRow({ target, currentTarget }: MouseEvent): boolean {
  const control = target instanceof Element ? target.closest('a, button, input, label, [tabindex]') : null
  const isOnControl = control !== null && currentTarget.contains(control)
  return !isOnControl && (getSelection()?.isCollapsed ?? true)
}

export function TableBody<Row>(props: BodyProps<Row>) {
  const { columns, rows, rowKey, rowName, isCurrent, onPick, selection, dimmed } = props
  const toggle = (key: string) => {
    const next = new Set(selection?.keys)
    if (!next.delete(key)) next.add(key)
    selection?.onChange(next)
  }
  return (
    <tbody role="rowgroup" className={dimmed ? 'nl-dimmed' : undefined}>
      {rows.map((row) => {
        const key = rowKey(row)
        const selected = selection?.keys.has(key) ?? false
        return (
          <tr
            key={key}
            role="row"
            data-row={key}
            className={[selected && 'nl-selected', onPick && 'nl-picks'].filter(Boolean).join(' ') || undefined}
            onClick={onPick && ((event) => isOnRow(event) && onPick(row))}
            aria-current={isCurrent?.(row) || undefined}
          >
            {selection !== undefined && (
              <td role="cell" className="nl-check">
                <input
                  type="checkbox"
                  aria-label={`选择 ${rowName(row)}`}
                  checked={selected}
                  disabled={!(selection.canSelect?.(row) ?? true)}
                  onChange={() => toggle(key)}
                />
              </td>
            )}
            {columns.map((column) => (
              <Cell key={column.key} column={column} row={row} />
            ))}
          </tr>
        )
      })}
    </tbody>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  if (column.isName) {
    return (
      <th role="rowheader" scope="row" className={columnClass(column)}>
        {column.cell(row)}
      </th>
    )
  }
  return (
    <td role="cell" className={columnClass(column)} data-label={column.title}>
      {column.cell(row)}
    </td>
  )
}

export function TableSkeleton<Row>({ columns, selectable }: { columns: readonly Column<Row>[]; selectable: boolean }) {
  return (
    <tbody role="rowgroup" aria-hidden="true">
      {Array.from({ length: PAGE_SIZE }, (_, line) => (
        <tr key={line} role="row">
          {selectable && (
            <td role="cell" className="nl-check">
              <span className="nl-bone" style={{ width: 14 }} />
            </td>
          )}
          {columns.map((column, index) => (
            <td key={column.key} role="cell" className={columnClass(column)} data-label={column.title}>
              <span className="nl-bone" style={{ width: `${70 - ((line + index) % 3) * 15}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

export type TableSort = Pick<ListState, 'sort' | 'order' | 'setSort'>

interface SortHeadingProps<Row> {
  readonly column: Column<Row>
  readonly sort: TableSort | undefined
}

const ARROW = {
  asc: 'M6 9V3M3.5 5.5 6 3l2.5 2.5',
  desc: 'M6 3v6M3.5 6.5 6 9l2.5-2.5',
  none: 'M4 4.5 6 2.5l2 2M4 7.5l2 2 2-2',
}

/** Heading of a column; a button if the list can be sorted by it. */
function SortHeading<Row>({ column, sort }: SortHeadingProps<Row>) {
  const { title, width } = column
  const heading = { role: 'columnheader', scope: 'col', className: columnClass(column), style: { width } } as const
  if (column.sort === undefined || sort === undefined) return <th {...heading}>{title}</th>
  const { by, first } = column.sort
  const order = sort.sort === by ? sort.order : null
  const next = order === null ? first : order === 'asc' ? 'desc' : 'asc'
  return (
    <th {...heading} aria-sort={order === null ? 'none' : order === 'asc' ? 'ascending' : 'descending'}>
      <button type="button" className="nl-sort" data-sorted={order !== null} onClick={() => sort.setSort(by, next)}>
        {title}
        <StrokeIcon path={ARROW[order ?? 'none']} box={12} />
      </button>
    </th>
  )
}
