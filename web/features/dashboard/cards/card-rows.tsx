import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { Panel } from '#ui/layout/panel.tsx'
import styles from './card-rows.module.css'

/* Parts of dashboard cards with rows: the button that shows all rows, and the panel that a filter narrows. */

export const ROWS_SHOWN = 8

interface MoreRowsProps<Row> {
  readonly rows: readonly Row[]
  /** Number of all rows; the server may send only the first of them. */
  readonly count: number
  readonly unit: string
  readonly all?: string
  readonly isOpen?: boolean
  readonly children: (row: Row) => ReactNode
}

export function MoreRows<Row>({ rows, count, unit, all = '全部', isOpen = false, children }: MoreRowsProps<Row>) {
  const [isExpanded, setExpanded] = useState(false)
  const isWhole = isOpen || isExpanded
  return (
    <>
      <ul className="nl-lined">{(isWhole ? rows : rows.slice(0, ROWS_SHOWN)).map(children)}</ul>
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

interface NarrowedPanelProps {
  readonly title: string
  /** Name of the filter on the rows, such as 链路断开 (link down); null shows all rows. */
  readonly words: string | null
  readonly more?: ReactNode
  readonly children: ReactNode
}

/** Card whose rows a part of the status line filters; the filter also scrolls the card into view. */
export function NarrowedPanel({ title, words, more, children }: NarrowedPanelProps) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (words === null) return
    card.current?.focus({ preventScroll: true })
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [words])
  const actions =
    words === null ? (
      more
    ) : (
      <span className={styles.narrowing}>
        仅显示：{words}
        <Link to={paths.dashboard}>显示全部</Link>
      </span>
    )
  return (
    <div ref={card} tabIndex={-1} className={styles.card}>
      <Panel title={title} actions={actions}>
        {children}
      </Panel>
    </div>
  )
}
