import type { ReactNode } from 'react'
import type { SortOrder } from './list-state.ts'

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
  /** Names the row: its heading for screen readers, sticky at the left edge, the title of its card on a phone. */
  readonly isName?: boolean
  /** Left out where the table itself is narrower: 640, 800 or 1,000 px. What decides has none and always stays. */
  readonly from?: 'md' | 'lg' | 'xl'
  /** Shown once a person chooses it. */
  readonly isOptional?: boolean
  /** The endpoint's name for the order by this column, and the direction of the first click. */
  readonly sort?: { readonly by: string; readonly first: SortOrder }
  /** Rows of a phone are two lines: this one stands at the end of the first. One such column makes the table compact. */
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
