import type { ListState } from './use-list-state.ts'
import { StrokeIcon } from '#ui/layout/buttons/stroke-icon.tsx'
import { type Column, columnClass } from './table-column.ts'

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

/** The heading of a column; a button where the list can be sorted by it. */
export function SortHeading<Row>({ column, sort }: SortHeadingProps<Row>) {
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
