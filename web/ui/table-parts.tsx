import type { HTMLAttributes, ReactNode } from 'react'
import { PAGE_SIZE } from '../../worker/contract/limits.ts'
import './data-table.css'
import type { Selection } from './data-table.tsx'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** A CSS width for the wide layout. */
  readonly width?: number | string
  /** Numbers and actions stand at the right edge. */
  readonly align?: 'right'
  /** Wraps; other columns keep to one line and the table scrolls horizontally. */
  readonly wrap?: boolean
  /** Sticky at the right edge: row actions. */
  readonly sticky?: 'end'
  /** Names the row: its heading for screen readers, the title of its card on a phone. */
  readonly isName?: boolean
}

/** The box that a table scrolls in; brings the styles of tables along. */
export function TableScroll(props: Omit<HTMLAttributes<HTMLDivElement>, 'className'>) {
  return <div className="nl-table-scroll" {...props} />
}

interface PartProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly selection: Selection<Row> | undefined
}

export function TableHead<Row>({ columns, rows, rowKey, selection }: PartProps<Row>) {
  const keys = rows.filter((row) => selection?.canSelect?.(row) ?? true).map(rowKey)
  const chosen = keys.filter((key) => selection?.keys.has(key)).length
  const all = keys.length > 0 && chosen === keys.length
  const toggleAll = () => {
    const next = new Set(selection?.keys)
    for (const key of keys) {
      if (all) next.delete(key)
      else next.add(key)
    }
    selection?.onChange(next)
  }
  return (
    <thead role="rowgroup">
      <tr role="row">
        {selection !== undefined && (
          <th role="columnheader" className="nl-check">
            <input
              type="checkbox"
              aria-label="选择本页全部"
              checked={all}
              disabled={keys.length === 0}
              ref={(box) => {
                if (box !== null) box.indeterminate = chosen > 0 && !all
              }}
              onChange={toggleAll}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.key}
            role="columnheader"
            scope="col"
            className={columnClass(column)}
            style={{ width: column.width }}
          >
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
  )
}

export function TableBody<Row>({ columns, rows, rowKey, selection, dimmed }: PartProps<Row> & { dimmed: boolean }) {
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
          <tr key={key} role="row" className={selected ? 'nl-selected' : undefined}>
            {selection !== undefined && (
              <td role="cell" className="nl-check">
                <input
                  type="checkbox"
                  aria-label={`选择 ${key}`}
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

/** Class names of a column, for its heading and its cells. */
function columnClass<Row>({ align, wrap, isName, sticky }: Column<Row>): string | undefined {
  const classes = [
    align === 'right' && 'nl-right',
    wrap && 'nl-wrap',
    isName && 'nl-name',
    sticky === 'end' && 'nl-stuck',
  ].filter(Boolean)
  return classes.length === 0 ? undefined : classes.join(' ')
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
            <td key={column.key} role="cell" data-label={column.title}>
              <span className="nl-bone" style={{ width: `${70 - ((line + index) % 3) * 15}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
