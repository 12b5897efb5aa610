import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { Panel } from '#ui/layout/panel.tsx'
import styles from './rows.module.css'

interface NarrowedPanelProps {
  readonly title: string
  /** Name of the filter on the rows, as 链路断开; null shows all of them. */
  readonly words: string | null
  readonly more?: ReactNode
  readonly children: ReactNode
}

/** Card of rows that a part of the status line narrows, which brings it into view. */
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
