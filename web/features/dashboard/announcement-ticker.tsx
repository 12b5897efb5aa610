import IconClose from '@douyinfe/semi-icons/lib/es/icons/IconClose'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { TICKER_MS } from '#contract/kernel/limits.ts'
import { paths } from '#lib/paths.ts'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import styles from './announcement-ticker.module.css'
import { useMedia } from '#ui/hooks/use-media.ts'

/* Announcements that take turns in one line, each dismissable; they pause under the pointer, with focus inside, and for reduced motion. */

interface AnnouncementTickerProps {
  /** Announcements; undefined while they load. The height is reserved. */
  readonly rows: readonly { readonly id: number; readonly title: string; readonly tag: string }[] | undefined
  readonly onDismiss: (id: number) => void
}

export function AnnouncementTicker({ rows, onDismiss }: AnnouncementTickerProps) {
  const [turn, setTurn] = useState(0)
  const [isHeld, setHeld] = useState(false)
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  const count = rows?.length ?? 0
  const isTurning = count > 1 && !isHeld && !isStill
  useEffect(() => {
    if (!isTurning) return
    const timer = setInterval(() => setTurn((now) => now + 1), TICKER_MS)
    return () => clearInterval(timer)
  }, [isTurning])

  if (rows === undefined) return <div className={styles.ticker} aria-hidden="true" />
  const row = rows[turn % Math.max(count, 1)]
  if (row === undefined) return null
  return (
    <section
      className={styles.ticker}
      aria-label="公告"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <StrokeIcon path="M3 8v4h3l6 4V4L6 8zM15 7.5c1.2 1.3 1.2 3.7 0 5" />
      <Link key={row.id} className={`nl-clip ${styles.title}`} to={paths.announcement(row.id)}>
        {row.tag !== '' && <em>{row.tag}</em>}
        {row.title}
      </Link>
      {count > 1 && (
        <span aria-hidden="true">
          {(turn % count) + 1} / {count}
        </span>
      )}
      <Link className={styles.all} to={paths.announcements}>
        全部公告
      </Link>
      <button
        type="button"
        className={styles.dismiss}
        aria-label={`不再显示公告“${row.title}”`}
        title="不再显示"
        onClick={() => onDismiss(row.id)}
      >
        <IconClose size="small" />
      </button>
    </section>
  )
}
