import { NO_MEMBERS, type StateCount, toStateShares } from '#domain/health/member.ts'
import { MemberBar } from '#ui/member/member-bar.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import type { ChartFrame, ChartPoint } from '#ui/chart/chart-series.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import styles from '../kit.module.css'
import { SAMPLE_NOW } from './sample-data.ts'

const BARS: readonly (readonly [string, StateCount])[] = [
  ['没有成员', NO_MEMBERS],
  ['全部在线', { ...NO_MEMBERS, online: 40 }],
  ['各种状态', { online: 1_040, reconnecting: 20, flapping: 30, offline: 200, never: 300, disabled: 40 }],
  ['一台离线', { ...NO_MEMBERS, online: 1_999, offline: 1 }],
]
const DAY_MS = 86_400_000
const toPoint = ([secondsAgo, value]: readonly [number, number]): ChartPoint => ({
  atMs: SAMPLE_NOW - secondsAgo * 1_000,
  value,
})
const CURVES: readonly (readonly [string, readonly ChartPoint[]])[] = [
  [
    '24 小时，其中一次中断 20 秒',
    (
      [
        [86_400, 40],
        [60_000, 12],
        [54_000, 40],
        [30_000, 37],
        [29_980, 40],
        [0, 40],
      ] as const
    ).map(toPoint),
  ],
  [
    '3 小时前第一个成员上线',
    (
      [
        [10_800, 1],
        [9_000, 3],
        [0, 3],
      ] as const
    ).map(toPoint),
  ],
]
const FRAME: ChartFrame = { fromMs: SAMPLE_NOW - DAY_MS, toMs: SAMPLE_NOW, stepMs: 0, axis: 'clock' }

/** Members by state as a bar, and a number over time, also while the live channel is down. */
export function PresenceSamples() {
  return (
    <div className={styles.grid}>
      {[false, true].map((isStale) => (
        <Panel key={String(isStale)} title={isStale ? '通道断开后的成员与状态' : '成员与状态'}>
          {BARS.map(([label, count]) => (
            <p key={label}>
              {label}
              <MemberBar label={label} states={toStateShares(count)} isStale={isStale} />
            </p>
          ))}
          {CURVES.map(([label, points]) => (
            <ChartGroup key={label} frame={FRAME}>
              <TimeChart
                label={label}
                series={[{ name: '在线成员', colour: isStale ? '--nl-idle' : '--nl-ok', drawing: 'area', points }]}
                measure="count"
                minHeightPx={200}
              />
            </ChartGroup>
          ))}
        </Panel>
      ))}
    </div>
  )
}
