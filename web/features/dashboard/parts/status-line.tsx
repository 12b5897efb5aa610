import { Link } from 'react-router'
import { STATUS_POLL_MS } from '../../../../worker/contract/limits.ts'
import type { Overview } from '../../../../worker/contract/overview.ts'
import { clockText } from '../../../lib/format-time.ts'
import { CHANNEL_DOWN } from '../../../lib/live.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { type Staleness, isStale } from '../staleness.ts'
import { toStatusParts } from '../status-parts.ts'
import styles from './status-line.module.css'

interface StatusLineProps {
  readonly overview: Overview
  readonly stale: Staleness
  /** Key of the part that the page is narrowed to. */
  readonly shown: string | null
}

const STALE_TEXT: Readonly<Record<Exclude<Staleness, 'fresh'>, string>> = {
  channel: `${CHANNEL_DOWN}，每 ${STATUS_POLL_MS / 1_000} 秒读取一次`,
  hub: '实时状态暂不可用，链路与历史未知',
  networks: '部分组网的实时状态暂不可用',
  failed: '刷新失败，以下为最近一次读取的状态',
}

/** What is not well in one line, each part with the objects behind it; grey while it may be outdated. */
export function StatusLine({ overview, stale, shown }: StatusLineProps) {
  const now = useNow()
  const parts = toStatusParts(overview)
  const worst = parts.length === 0 ? 'ok' : parts.some(({ level }) => level === 'bad') ? 'bad' : 'warn'
  const tone = isStale(stale) ? 'idle' : worst
  return (
    <section className={styles.line} data-tone={tone} aria-label="当前状态">
      {parts.length === 0 ? (
        <p className={styles.well}>
          <Icon shape={isStale(stale) ? 'question' : 'tick'} tone={tone} />
          {isStale(stale) ? '最近一次读取时全部正常' : '全部正常'}
        </p>
      ) : (
        <ul className={styles.parts}>
          {parts.map(({ key, level, text, to }) => (
            <li key={key}>
              <Icon shape={level === 'bad' ? 'ring' : 'half'} tone={isStale(stale) ? 'idle' : level} />
              <Link to={to} aria-current={key === shown ? 'true' : undefined}>
                {text}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.time}>
        {stale !== 'fresh' && <span>{STALE_TEXT[stale]} · </span>}
        更新于{' '}
        <time dateTime={new Date(overview.at).toISOString()}>{clockText(overview.at, Math.max(now, overview.at))}</time>
      </p>
    </section>
  )
}
