import { useState } from 'react'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import type { RouterEvents } from '#contract/router/views.ts'
import { NO_MEMBERS, toStateShares } from '#domain/health/member.ts'
import { Meter } from '#ui/chart/bars/meter.tsx'
import { ShareBars } from '#ui/chart/bars/share-bars.tsx'
import { StateBar } from '#ui/chart/bars/state-bar.tsx'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import { type ChartFrame, type ChartPoint, type ChartSeries, toDirections } from '#ui/chart/chart-series.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { lastWindow, TimeWindowField } from '#ui/form/dates/time-window.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { MemberBar } from '#ui/member/member-bar.tsx'
import { TransitionList } from '#ui/state/transition-list.tsx'
import { REASON, SAMPLE_NOW, type Samples } from './sample.tsx'

/* Kit samples of charts, member counts, state history and numbers. */

/** Sine waves with noise in bit/s, the same on every run; the third quarter is missing. */
function createPoints({ fromMs, toMs, stepMs }: ChartFrame, bitsPerSecond: number, peakFactor?: number) {
  const count = (toMs - fromMs) / stepMs
  return Array.from({ length: count }, (_, index): ChartPoint => {
    const wave = 1 + 0.6 * Math.sin(index / 7) + 0.25 * Math.sin(index * 1.7) + 0.1 * Math.cos(index * 4.1)
    const value = Math.max(0, Math.round(bitsPerSecond * wave))
    return { atMs: fromMs + (index + 1) * stepMs, value, ...(peakFactor !== undefined && { peak: peakFactor * value }) }
  }).filter((_, index) => index < count / 2 || index > count * 0.75)
}

const createFrame = (count: number, stepMs: number, axis: ChartFrame['axis']): ChartFrame => ({
  fromMs: SAMPLE_NOW - count * stepMs,
  toMs: SAMPLE_NOW,
  stepMs,
  axis,
})

const RANGES = [
  { value: 'live', label: '实时', resolution: '每秒一次', frame: createFrame(TRAFFIC.pointsKept, 1_000, 'live') },
  { value: 'day', label: '24 小时', resolution: '5 分钟平均', frame: createFrame(288, 300_000, 'clock') },
  {
    value: 'month',
    label: '30 天',
    resolution: '2 小时平均，含峰值',
    frame: createFrame(360, 7_200_000, 'clock'),
    peak: 2,
  },
] as const

export function ChartSamples() {
  const [range, setRange] = useState<(typeof RANGES)[number]['value']>('live')
  const [isOpen, setIsOpen] = useState(false)
  const { frame, resolution, ...chosen } = RANGES.find(({ value }) => value === range) ?? RANGES[0]
  const peak = 'peak' in chosen ? chosen.peak : undefined
  const series = toDirections(createPoints(frame, 42e6, peak), createPoints(frame, 11e6, peak))
  const tools = <Segmented label="时间范围" value={range} onChange={setRange} options={RANGES} />
  return (
    <>
      <ChartGroup frame={frame} bar={{ title: '流量', resolution, tools }}>
        <Panel>
          <TimeChart label="wan0" series={series} />
        </Panel>
        <Panel>
          <TimeChart label="lan0" series={series} fold={{ isOpen, onToggle: () => setIsOpen(!isOpen) }} />
        </Panel>
        <Panel>
          <TimeChart label="wan1" series={series} minHeightPx={320} silence="离线自 2026-03-02 10:15:00" />
        </Panel>
        <Panel>
          <TimeChart label="wan2" series={toDirections([], [])} minHeightPx={200} empty="等待数据…" />
        </Panel>
      </ChartGroup>
      <ManyLines />
      <ChartGroup frame={{ ...createFrame(1, DAY_MS, 'clock'), stepMs: 0 }}>
        <Panel>
          <TimeChart label="24 小时在线情况" series={[ONLINE]} measure="count" minHeightPx={200} />
        </Panel>
      </ChartGroup>
    </>
  )
}

const HOURS: ChartFrame = { ...createFrame(48, 300_000, 'clock'), isExact: true }
const NAMES = '企业微信 钉钉 飞书 腾讯会议 Microsoft-365 Zoom 微信 GitHub HTTPS DNS 其他'.split(' ')
const LINES = NAMES.map((name, line): ChartSeries => ({
  name,
  colour: `--nl-series-${line + 1}`,
  drawing: 'line',
  points: createPoints(HOURS, 6e6 / (line + 1)),
}))

function ManyLines() {
  const [window, setWindow] = useState(() => lastWindow(3_600_000, SAMPLE_NOW))
  const limit = { spanMs: Infinity, sentence: '示例没有更早的数据' }
  return (
    <Panel title="多条曲线">
      <TimeWindowField label="时间范围" value={window} onChange={setWindow} limit={limit} />
      <ChartGroup frame={HOURS} bar={{}}>
        <TimeChart label="多条曲线" series={LINES} measure="scaledRate" minHeightPx={320} />
      </ChartGroup>
    </Panel>
  )
}

const HOUR = 3_600_000
const ONLINE: ChartSeries = {
  name: '在线成员',
  colour: '--nl-ok',
  drawing: 'area',
  points: [40, 12, 40, 37, 40].map((value, n) => ({ atMs: SAMPLE_NOW - (20 - 4 * n) * HOUR, value })),
}

type Transition = RouterEvents['transitions'][number]

const change = (hoursAgo: number, from: Transition['from'], to: Transition['to'], reason = ''): Transition => ({
  from,
  to,
  at: SAMPLE_NOW - hoursAgo * HOUR,
  reason,
})

const BUSY_DAY = [
  change(1, 'offline', 'online'),
  change(2, 'flapping', 'offline', REASON.lost),
  change(4, 'online', 'flapping', REASON.flapping),
  change(9.5, 'offline', 'online'),
  change(9.6, 'online', 'offline', '心跳未到，两端的探测也没有响应；上一级运营商线路可能正在割接'),
  change(15, 'never', 'online'),
  change(20, 'disabled', 'never'),
]
const FLAPPING_DAY = Array.from({ length: 200 }, (_, n) => {
  const [from, to] = n % 2 ? (['offline', 'online'] as const) : (['online', 'offline'] as const)
  return change(n / 10, from, to)
})

function History({ transitions, isStale = false }: { transitions: Transition[]; isStale?: boolean }) {
  const bar = { from: SAMPLE_NOW - 24 * HOUR, to: SAMPLE_NOW, start: transitions.at(-1)?.from ?? null }
  return (
    <>
      <StateBar label="过去 24 小时" events={{ bar, transitions }} isStale={isStale} />
      <TransitionList label="状态变化" transitions={transitions} empty="过去 48 小时没有状态变化" />
    </>
  )
}

export const HISTORY_SAMPLES: Samples = {
  '24 小时状态': <History transitions={BUSY_DAY} />,
  没有变化: <History transitions={[]} />,
  '200 次变化': <History transitions={FLAPPING_DAY} />,
  通道断开后的状态: <History transitions={BUSY_DAY} isStale />,
}

const STATES = toStateShares({
  online: 1_040,
  reconnecting: 20,
  flapping: 30,
  unreadable: 10,
  offline: 200,
  never: 300,
  disabled: 40,
})
const SHARES = [52.31, 30.4, 12.29, 4.99, 0.01]

export const NUMBER_SAMPLES: Samples = {
  没有成员: <MemberBar label="没有成员" states={toStateShares(NO_MEMBERS)} />,
  各种状态: <MemberBar label="各种状态" states={STATES} />,
  通道断开后的成员: <MemberBar label="通道断开后的成员" states={STATES} isStale />,
  没有用量: <Meter label="硬件成员" used={0} total={0} tone="idle" />,
  用量: <Meter label="软件成员" used={48} total={100} tone="accent" note="含停用的成员" />,
  超出的用量: <Meter label="带宽" used={120} total={100} tone="bad" note="已超出" />,
  占比: (
    <ShareBars
      label="占比"
      bars={SHARES.map((share, i) => ({ name: NAMES[i] ?? '', share, detail: `共 ${share} GB` }))}
    />
  ),
}
