import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import { countText } from '#lib/format/format-unit.ts'
import styles from './rows.module.css'

/** Rows of a list before it is opened. */
export const ROWS_SHOWN = 8

interface MoreRowsProps<Row> {
  readonly rows: readonly Row[]
  /** Number of all, of which the server may send the first only. */
  readonly count: number
  readonly unit: string
  /** Name of the button, in place of 全部. */
  readonly all?: string
  /** Shows all of them without being asked. */
  readonly isOpen?: boolean
  /** Renders a row as a list item. */
  readonly children: (row: Row) => ReactNode
}

/** The first rows of a list, and the rest on demand. */
export function MoreRows<Row>({ rows, count, unit, all = '全部', isOpen = false, children }: MoreRowsProps<Row>) {
  const [isExpanded, setExpanded] = useState(false)
  const isWhole = isOpen || isExpanded
  return (
    <>
      <ul className={styles.rows}>{(isWhole ? rows : rows.slice(0, ROWS_SHOWN)).map(children)}</ul>
      {isWhole && count > rows.length && (
        <p className={styles.note}>
          共 {countText(count)} {unit}，仅列出其中 {countText(rows.length)} {unit}
        </p>
      )}
      {!isOpen && count > ROWS_SHOWN && (
        <div className={styles.more}>
          <Button theme="borderless" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
            {isExpanded ? '收起' : `${all} ${countText(count)} ${unit}`}
          </Button>
        </div>
      )}
    </>
  )
}
