import { Link } from 'react-router'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import type { Overview } from '#contract/overview/index.ts'
import { clockText } from '#lib/format/format-time.ts'
import { CHANNEL_DOWN } from '#lib/live/use-live.ts'
import { useNow } from '#ui/hooks/use-now.ts'
import { Icon } from '#ui/state/state-icon.tsx'
import styles from './status-line.module.css'
import { isStale, type Staleness, toStatusParts } from './status-parts.ts'

/* Status line of the dashboard: faults, each linked to the objects it counts; grey while it may be outdated. */

const STALE_TEXT: Readonly<Record<Exclude<Staleness, 'fresh'>, string>> = {
  channel: `${CHANNEL_DOWN}，每 ${STATUS_POLL_MS / 1_000} 秒读取一次`,
  hub: `${SENTENCE.stateUnknown}，链路与历史未知`,
  links: '部分组网的链路状态暂不可用',
  failed: '刷新失败，以下为最近一次读取的状态',
}

/** Text without faults; unknown links are not called normal (正常). */
const WELL_TEXT: Readonly<Record<Staleness, string>> = {
  fresh: '全部正常',
  channel: '最近一次读取时全部正常',
  failed: '最近一次读取时全部正常',
  hub: '设备与配置正常',
  links: '已知状态正常',
}

const LEVELS = ['bad', 'warn', 'idle'] as const
const LEVEL_SHAPE = { bad: 'ring', warn: 'half', idle: 'question' } as const

export function StatusLine({ overview, stale, shown }: { overview: Overview; stale: Staleness; shown: string | null }) {
  const now = useNow()
  const parts = toStatusParts(overview)
  const worst = LEVELS.find((wanted) => parts.some(({ level }) => level === wanted)) ?? 'ok'
  const isSure = stale === 'fresh'
  const tone = isStale(stale) || (parts.length === 0 && !isSure) ? 'idle' : worst
  return (
    <section className={styles.line} data-tone={tone} aria-label="当前状态">
      {parts.length === 0 ? (
        <p className={styles.well}>
          <Icon shape={isSure ? 'tick' : 'question'} tone={tone} />
          {WELL_TEXT[stale]}
        </p>
      ) : (
        <ul className={styles.parts}>
          {parts.map(({ key, level, text, to }) => (
            <li key={key}>
              <Icon shape={LEVEL_SHAPE[level]} tone={isStale(stale) ? 'idle' : level} />
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
