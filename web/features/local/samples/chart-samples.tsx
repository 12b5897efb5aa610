import { useEffect, useMemo, useState } from 'react'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import type { RouterEvents } from '#contract/router/views.ts'
import { NO_MEMBERS, type StateCount, toStateShares } from '#domain/health/member.ts'
import { Meter, Meters } from '#ui/chart/bars/meter.tsx'
import { ShareBars } from '#ui/chart/bars/share-bars.tsx'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import { StateBar } from '#ui/chart/bars/state-bar.tsx'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import { type ChartFrame, type ChartPoint, type ChartSeries, toDirections } from '#ui/chart/chart-series.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { type TimeWindow, TimeWindowField, lastWindow } from '#ui/form/dates/time-window.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { MemberBar } from '#ui/member/member-bar.tsx'
import { TransitionList } from '#ui/state/transition-list.tsx'
import { REASON, SAMPLE_NOW, type Sample } from './sample.tsx'
import styles from '../kit.module.css'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Kit samples of charts, member counts, state history and numbers. */

/** Sample rate in bit/s: a sine wave with noise, the same on every run. */
function sampleRate(index: number, baseBitsPerSecond: number): number {
  const wave = 1 + 0.6 * Math.sin(index / 7) + 0.25 * Math.sin(index * 1.7) + 0.1 * Math.cos(index * 4.1)
  return Math.max(0, Math.round(baseBitsPerSecond * wave))
}

/** Series of both directions; `peakFactors` makes them averages with peaks. */
function sampleTraffic(
  samples: readonly { readonly index: number; readonly atMs: number }[],
  peakFactors?: { readonly down: number; readonly up: number },
): readonly ChartSeries[] {
  const of = (base: number, shift: number, factor?: number) =>
    samples.map(({ index, atMs }) => {
      const value = sampleRate(index + shift, base)
      return { atMs, value, ...(factor !== undefined && { peak: factor * value }) }
    })
  return toDirections(of(42e6, 0, peakFactors?.down), of(11e6, 40, peakFactors?.up))
}

const SECOND = 1_000
const MINUTE = 60_000

/** Samples 12 to 17 are missing. */
function wasLost(index: number): boolean {
  return index >= 12 && index <= 17
}

const storedFrame = (count: number, stepMs: number): ChartFrame => ({
  fromMs: SAMPLE_NOW - count * stepMs,
  toMs: SAMPLE_NOW,
  stepMs,
  axis: 'clock',
})
const liveFrame = (toMs: number): ChartFrame => ({
  fromMs: toMs - TRAFFIC.pointsKept * SECOND,
  toMs,
  stepMs: SECOND,
  axis: 'live',
})

/** Averages with a gap. */
const createStored = (count: number, stepMs: number) =>
  Array.from({ length: count }, (_, index) => ({ index, atMs: SAMPLE_NOW - (count - index) * stepMs })).filter(
    ({ index }) => index < 120 || index > 150,
  )

const STORED = {
  day: {
    frame: storedFrame(288, 5 * MINUTE),
    series: sampleTraffic(createStored(288, 5 * MINUTE)),
    resolution: '5 分钟平均',
  },
  month: {
    frame: storedFrame(360, 120 * MINUTE),
    series: sampleTraffic(createStored(360, 120 * MINUTE), { down: 1.6, up: 2 }),
    resolution: '2 小时平均，含峰值',
  },
} as const

export function ChartSamples() {
  const live = useLiveSeries()
  const [range, setRange] = useState<keyof typeof STORED | 'live'>('live')
  const { frame, series, resolution } = range === 'live' ? { ...live, resolution: '每秒一次' } : STORED[range]
  const [isOpen, setIsOpen] = useState(false)
  return (
    <ChartGroup
      frame={frame}
      bar={{
        title: '流量',
        resolution,
        tools: <Segmented label="时间范围" value={range} onChange={setRange} options={RANGES} />,
      }}
    >
      <Panel>
        <TimeChart label="wan0" series={series} minHeightPx={480} />
      </Panel>
      <Panel>
        <TimeChart
          label="lan0"
          series={series}
          minHeightPx={320}
          fold={{ isOpen, onToggle: () => setIsOpen(!isOpen) }}
        />
      </Panel>
      <Panel>
        <TimeChart label="wan1" series={series} minHeightPx={320} silence="离线自 2026-03-02 10:15:00" />
      </Panel>
      <Panel>
        <TimeChart label="wan2" series={sampleTraffic([])} minHeightPx={200} empty="等待数据…" />
      </Panel>
    </ChartGroup>
  )
}

const RANGES = [
  { value: 'live', label: '实时' },
  { value: 'day', label: '24 小时' },
  { value: 'month', label: '30 天' },
] as const

function useLiveSeries() {
  const [last, setLast] = useState(TRAFFIC.pointsKept - 1)
  useEffect(() => {
    const timer = setInterval(() => setLast((now) => now + 1), SECOND)
    return () => clearInterval(timer)
  }, [])
  return useMemo(() => {
    const samples = Array.from({ length: TRAFFIC.pointsKept }, (_, place) => last - TRAFFIC.pointsKept + 1 + place)
      .filter((index) => !wasLost(index))
      .map((index) => ({ index, atMs: SAMPLE_NOW + index * SECOND }))
    return { frame: liveFrame(samples.at(-1)?.atMs ?? SAMPLE_NOW), series: sampleTraffic(samples) }
  }, [last])
}

const STEP_MS = 300_000
const HOURS_FRAME: ChartFrame = {
  fromMs: SAMPLE_NOW - 48 * STEP_MS,
  toMs: SAMPLE_NOW,
  stepMs: STEP_MS,
  axis: 'clock',
  isExact: true,
}
const NAMES = [
  '企业微信',
  '钉钉',
  '飞书',
  '腾讯会议',
  'Microsoft 365',
  'Zoom',
  '微信',
  'GitHub',
  'HTTPS',
  'DNS',
  '其他',
]

/** Steps 20 to 27 are missing. */
const SERIES = NAMES.map((name, line): ChartSeries => ({
  name,
  colour: `--nl-series-${line + 1}`,
  drawing: 'line',
  points: Array.from({ length: 48 }, (_, i) => ({
    atMs: SAMPLE_NOW - (47 - i) * STEP_MS,
    value: (1.5 + Math.sin(i / 4 + line)) * 4e6 * (1 / (line + 1)),
  })).filter((_, i) => i < 20 || i > 27),
}))
const BARS = [52.31, 30.4, 12.29, 4.99, 0.01].map((share, i) => ({
  name: NAMES[i] ?? '',
  share,
  detail: `共 ${share.toFixed(2)} GB`,
}))

export function SeriesSamples() {
  const [window, setWindow] = useState<TimeWindow>(() => lastWindow(3_600_000, SAMPLE_NOW))
  return (
    <>
      <Panel title="多条曲线">
        <TimeWindowField
          label="时间范围"
          value={window}
          onChange={setWindow}
          limit={{ spanMs: Infinity, sentence: '示例没有更早的数据' }}
        />
        <ChartGroup frame={HOURS_FRAME} bar={{}}>
          <TimeChart label="多条曲线" series={SERIES} measure="scaledRate" minHeightPx={320} />
        </ChartGroup>
      </Panel>
      <Panel title="占比">
        <ShareBars label="占比" bars={BARS} />
      </Panel>
    </>
  )
}

const MEMBER_COUNTS: readonly (readonly [string, StateCount])[] = [
  ['没有成员', NO_MEMBERS],
  ['全部在线', { ...NO_MEMBERS, online: 40 }],
  ['各种状态', { online: 1_040, reconnecting: 20, flapping: 30, offline: 200, never: 300, disabled: 40 }],
  ['一台离线', { ...NO_MEMBERS, online: 1_999, offline: 1 }],
]
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
const DAY_FRAME: ChartFrame = { fromMs: SAMPLE_NOW - DAY_MS, toMs: SAMPLE_NOW, stepMs: 0, axis: 'clock' }

/** Members by state as a bar, and a number over time, also while the live channel is down. */
export function PresenceSamples() {
  return (
    <div className={styles.grid}>
      {[false, true].map((isStale) => (
        <Panel key={String(isStale)} title={isStale ? '通道断开后的成员与状态' : '成员与状态'}>
          {MEMBER_COUNTS.map(([label, count]) => (
            <p key={label}>
              {label}
              <MemberBar label={label} states={toStateShares(count)} isStale={isStale} />
            </p>
          ))}
          {CURVES.map(([label, points]) => (
            <ChartGroup key={label} frame={DAY_FRAME}>
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

const HOUR = 3_600_000
type Transition = RouterEvents['transitions'][number]

const change = (hoursAgo: number, from: Transition['from'], to: Transition['to'], reason = ''): Transition => ({
  from,
  to,
  at: SAMPLE_NOW - hoursAgo * HOUR,
  reason,
})

const toEvents = (start: RouterEvents['bar']['start'], transitions: readonly Transition[]): RouterEvents => ({
  live: 1,
  transitions: [...transitions],
  bar: { from: SAMPLE_NOW - 24 * HOUR, to: SAMPLE_NOW, start },
})

const LONG_REASON = '设备与平台之间的连接中断：心跳未到，两端的探测也没有响应；上一级运营商线路可能正在割接'
const BUSY_DAY = toEvents('disabled', [
  change(1, 'offline', 'online'),
  change(2, 'flapping', 'offline', REASON.lost),
  change(4, 'online', 'flapping', REASON.flapping),
  change(9.5, 'offline', 'online'),
  change(9.6, 'online', 'offline', LONG_REASON),
  change(15, 'never', 'online'),
  change(20, 'disabled', 'never'),
])
const FLAPPING_DAY = toEvents(
  null,
  Array.from({ length: 200 }, (_, n) => change(n / 10, n % 2 ? 'offline' : 'online', n % 2 ? 'online' : 'offline')),
)

/** States of a member over time: none, some, many, and while the channel is down. */
export function HistorySamples() {
  return (
    <div className={styles.grid}>
      <HistorySample title="24 小时状态" events={BUSY_DAY} />
      <HistorySample title="没有变化" events={toEvents('online', [])} />
      <HistorySample title="200 次变化" events={FLAPPING_DAY} />
      <HistorySample title="通道断开后的状态" events={BUSY_DAY} isStale />
    </div>
  )
}

function HistorySample({ title, events, isStale = false }: { title: string; events: RouterEvents; isStale?: boolean }) {
  return (
    <Panel title={title}>
      <StateBar label="过去 24 小时" events={events} isStale={isStale} />
      <TransitionList label={title} transitions={events.transitions} empty="过去 48 小时没有状态变化" />
    </Panel>
  )
}

export const NUMBER_SAMPLES: readonly Sample[] = [
  {
    title: '数字',
    content: (
      <StatTiles>
        <StatTile label="席位" value="0 / 0" share={0} />
        <StatTile label="席位" value="48 / 100" share={0.48} />
        <StatTile label="席位" value="96 / 100" share={0.96} tone="warn" note="即将用完" />
        <StatTile label="席位" value="12,105 / 12,000" share={1} tone="bad" note="超出 105 个" />
      </StatTiles>
    ),
  },
  {
    title: '用量',
    content: (
      <Meters>
        <Meter label="硬件成员" used={0} total={0} tone="idle" />
        <Meter label="软件成员" used={48} total={100} tone="accent" note="含停用的成员" />
        <Meter label="带宽" used={120} total={100} tone="bad" note="已超出" />
      </Meters>
    ),
  },
]
