import { lazy, type MouseEvent, Suspense, useId, useState } from 'react'
import { Link } from 'react-router'
import type { AttentionRow } from '#contract/kernel/health.ts'
import { clockText, dateText } from '#lib/format/format-time.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { useGrants } from '#lib/session/session.ts'
import { MoreLink } from '#ui/layout/buttons/more-link.tsx'
import { SinceText } from '#ui/layout/text/time-text.tsx'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { Icon } from '#ui/state/state-icon.tsx'
import styles from './attention-card.module.css'
import { objectPath, toLinkState, toVerb } from './attention-links.ts'
import { MoreRows, NarrowedPanel } from './card-rows.tsx'
import type { CardProps } from './status-parts.ts'

/* Card of objects that need attention, by severity, then age: object, cause, time and remedy; a row unfolds in place. */

const AttentionDetail = lazy(() =>
  import('../attention/attention-detail.tsx').then((m) => ({ default: m.AttentionDetail })),
)

export function AttentionCard({ overview: { attention, status, at }, isStale, narrowing }: CardProps) {
  const isNarrowed = narrowing?.kind === 'rows'
  const rows = isNarrowed ? attention.rows.filter(narrowing.hasRow) : attention.rows
  return (
    <NarrowedPanel
      title="待处理"
      words={isNarrowed ? narrowing.words : null}
      more={<MoreLink to={paths.routers({ state: 'attention' })} of="需关注的成员" />}
    >
      {rows.length === 0 ? (
        <p className={styles.well}>
          <Icon shape={isStale ? 'question' : 'tick'} tone={isStale ? 'idle' : 'ok'} />
          <span>{isNarrowed ? '没有此类待处理事项' : '没有待处理事项'}</span>
        </p>
      ) : (
        <MoreRows
          rows={rows}
          count={isNarrowed ? status[narrowing.key] : attention.count}
          unit="项"
          isOpen={isNarrowed}
        >
          {(row) => <AttentionItem key={row.id} row={row} isStale={isStale} now={at} />}
        </MoreRows>
      )}
    </NarrowedPanel>
  )
}

interface AttentionItemProps {
  readonly row: AttentionRow
  readonly isStale: boolean
  readonly now: number
}

function AttentionItem({ row, isStale, now }: AttentionItemProps) {
  const [isOpen, setOpen] = useState(false)
  const detail = useId()
  const verb = toVerb(row, useGrants())
  const { level, name, cause, since, until, folded, handled } = row
  /** A press anywhere but on a link; selecting text is none. */
  const pressRow = ({ target }: MouseEvent) => {
    const isOwn = target instanceof Element && target.closest('a, button') === null
    if (isOwn && getSelection()?.isCollapsed !== false) setOpen(!isOpen)
  }
  return (
    <li>
      <div className={styles.row} onClick={pressRow}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={detail}
          aria-label={`详情 ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <StrokeIcon path={isOpen ? 'M5 8l5 5 5-5' : 'M8 5l5 5-5 5'} />
        </button>
        <Icon shape={level === 'bad' ? 'ring' : 'half'} tone={isStale ? 'idle' : level} />
        <Link className={`nl-clip ${styles.name}`} to={objectPath(row)} state={toLinkState(row)}>
          {name}
        </Link>
        <span className={styles.cause}>
          {cause}
          {folded > 0 && <small>影响 {countText(folded)} 项</small>}
          {handled !== null && (
            <small className={styles.handled}>
              {handled.by} {clockText(handled.at, now)} 起处理
            </small>
          )}
        </span>
        <span className={styles.since}>
          {since !== null ? <SinceText at={since} /> : until !== null ? `${dateText(until)} 到期` : null}
        </span>
        <Link className={styles.verb} to={verb.to} state={toLinkState(row)} aria-label={`${verb.label} ${name}`}>
          {verb.label}
        </Link>
      </div>
      <div id={detail} className={styles.detail} hidden={!isOpen}>
        {isOpen && (
          <Suspense fallback={<Skeleton lines={4} />}>
            <AttentionDetail row={row} />
          </Suspense>
        )}
      </div>
    </li>
  )
}
