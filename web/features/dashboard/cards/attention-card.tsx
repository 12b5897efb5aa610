import { Link } from 'react-router'
import type { AttentionRow } from '#contract/kernel/health.ts'
import { dateText } from '#lib/format/format-time.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { useGrants } from '#lib/session/session.ts'
import { MoreLink } from '#ui/layout/buttons/more-link.tsx'
import { SinceText } from '#ui/layout/text/time-text.tsx'
import { Icon } from '#ui/state/state-icon.tsx'
import styles from './attention-card.module.css'
import { objectPath, toVerb } from './attention-links.ts'
import { MoreRows, NarrowedPanel } from './card-rows.tsx'
import type { CardProps } from './status-parts.ts'

/* Card of objects that need attention, by severity, then age: object, cause, time and remedy. */

export function AttentionCard({ overview: { attention, status }, isStale, narrowing }: CardProps) {
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
          {(row) => <AttentionItem key={keyOf(row)} row={row} isStale={isStale} />}
        </MoreRows>
      )}
    </NarrowedPanel>
  )
}

const keyOf = ({ kind, target, name }: AttentionRow): string => `${kind} ${JSON.stringify(target)} ${name}`

function AttentionItem({ row, isStale }: { readonly row: AttentionRow; readonly isStale: boolean }) {
  const verb = toVerb(row, useGrants())
  const { level, name, cause, since, until, folded } = row
  return (
    <li className={styles.row}>
      <Icon shape={level === 'bad' ? 'ring' : 'half'} tone={isStale ? 'idle' : level} />
      <Link className={`nl-clip ${styles.name}`} to={objectPath(row)}>
        {name}
      </Link>
      <span className={styles.cause}>
        {cause}
        {folded > 0 && <small>影响 {countText(folded)} 项</small>}
      </span>
      <span className={styles.since}>
        {since !== null ? <SinceText at={since} /> : until !== null ? `${dateText(until)} 到期` : null}
      </span>
      <Link className={styles.verb} to={verb.to} aria-label={`${verb.label} ${name}`}>
        {verb.label}
      </Link>
    </li>
  )
}
