import type { ReactNode } from 'react'
import { countText } from '../../../lib/format-unit.ts'
import styles from './rows.module.css'

const SHOWN = 5

interface RowsProps<Row> {
  readonly rows: readonly Row[]
  /** Number of all rows with its unit; left out where it is not shown. */
  readonly total?: { readonly count: number; readonly unit: string }
  /** A list item. */
  readonly children: (row: Row) => ReactNode
}

/** The first rows of a list. */
export function Rows<Row>({ rows, total, children }: RowsProps<Row>) {
  return (
    <>
      <ul className={styles.rows}>{rows.slice(0, SHOWN).map(children)}</ul>
      {total !== undefined && total.count > SHOWN && (
        <p className={styles.more}>
          共 {countText(total.count)} {total.unit}
        </p>
      )}
    </>
  )
}

/** Shown in place of rows. */
export function NoRows({ children }: { readonly children: ReactNode }) {
  return <p className={styles.empty}>{children}</p>
}
