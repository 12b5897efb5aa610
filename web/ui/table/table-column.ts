import type { ReactNode } from 'react'
import type { SortOrder } from './list-state.ts'

/* Definition of a table column, and its CSS class. */

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** A CSS width for the wide layout. */
  readonly width?: number | string
  /** Right edge, for numbers and actions. */
  readonly align?: 'right'
  /** Wraps; other columns keep to one line and the table scrolls horizontally. */
  readonly wrap?: boolean
  /** Sticky at the right edge: row actions. */
  readonly sticky?: 'end'
  /** Names the row: its heading for screen readers, sticky at the left edge, the title of its card on a phone. */
  readonly isName?: boolean
  /** Hidden while the table itself is narrower than 640, 800 or 1,000 px. Decisive columns have none and always stay. */
  readonly from?: 'md' | 'lg' | 'xl'
  /** Hidden until a person chooses it. */
  readonly isOptional?: boolean
  /** Name of the order by this column at the endpoint, and the direction of the first click. */
  readonly sort?: { readonly by: string; readonly first: SortOrder }
  /** On a phone, where rows have two lines, it stands at the end of the first. One such column makes the table compact. */
  readonly phone?: 'aside'
}

export function columnClass<Row>({ align, wrap, isName, sticky, from, phone }: Column<Row>): string | undefined {
  const classes = [
    align === 'right' && 'nl-right',
    wrap && 'nl-wrap',
    isName && 'nl-name',
    sticky === 'end' && 'nl-stuck',
    from && `nl-from-${from}`,
    phone && `nl-phone-${phone}`,
  ].filter(Boolean)
  return classes.length === 0 ? undefined : classes.join(' ')
}
