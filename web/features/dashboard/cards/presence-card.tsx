import { Link } from 'react-router'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import type { Overview } from '#contract/overview/index.ts'
import { clockText, timeText } from '#lib/format/format-time.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { MoreLink } from '#ui/layout/buttons/more-link.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { StatusBadge } from '#ui/state/status-badge.tsx'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import type { ChartFrame, ChartSeries } from '#ui/chart/chart-series.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { MoreRows } from './card-rows.tsx'
import styles from './presence-card.module.css'

/* Card of the members online over the last 24 hours, and of the last changes. */

export function PresenceCard({ overview, isStale }: { overview: Overview; isStale: boolean }) {
  const { at, live, presence, changes } = overview
  const all = changes.length < HEALTH.changesShown ? '全部' : '最近'
  return (
    <Panel title="24 小时在线情况" actions={<MoreLink to={paths.routers({ sort: 'seen' })} of="成员最近在线" />}>
      {live === 0 ? (
        <p className={styles.none}>{SENTENCE.stateUnknown}，恢复后显示在线曲线与状态变化</p>
      ) : (
        <div className={styles.sides}>
          {presence.length === 0 ? (
            <p className={styles.none}>还没有成员上线</p>
          ) : (
            <PresenceCurve at={at} presence={presence} isStale={isStale} />
          )}
          <section aria-label="状态变化">
            {changes.length === 0 ? (
              <p className={styles.none}>24 小时内没有状态变化</p>
            ) : (
              <MoreRows rows={changes} count={changes.length} unit="条" all={all}>
                {(change) => (
                  <Change key={`${change.at} ${change.router_name} ${change.to}`} change={change} now={at} />
                )}
              </MoreRows>
            )}
          </section>
        </div>
      )}
    </Panel>
  )
}

const CURVE_PX = 200

function PresenceCurve({ at, presence, isStale }: Pick<Overview, 'at' | 'presence'> & { readonly isStale: boolean }) {
  const series: ChartSeries = {
    name: '在线成员',
    colour: isStale ? '--nl-idle' : '--nl-ok',
    drawing: 'area',
    points: presence.map((point) => ({ atMs: point.at, value: point.online })),
  }
  const frame: ChartFrame = { fromMs: at - HEALTH.curveMs, toMs: at, stepMs: 0, axis: 'clock' }
  return (
    <ChartGroup frame={frame}>
      <TimeChart label={series.name} series={[series]} measure="count" minHeightPx={CURVE_PX} />
    </ChartGroup>
  )
}

function Change({ change, now }: { readonly change: Overview['changes'][number]; readonly now: number }) {
  const { at, router_name, from, to, reason } = change
  return (
    <li className={styles.change}>
      <time dateTime={new Date(at).toISOString()} title={timeText(at)}>
        {clockText(at, now)}
      </time>
      <Link className="nl-clip" to={paths.router(router_name)} state={withLinkedName(memberLabel(change))}>
        {memberLabel(change)}
      </Link>
      <span className={styles.states}>
        <StatusBadge state={from} />
        <span aria-label="变为">→</span>
        <StatusBadge state={to} />
      </span>
      <span className={`nl-clip ${styles.reason}`}>{reason}</span>
    </li>
  )
}
