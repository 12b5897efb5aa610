import { useEffect, useMemo, useState } from 'react'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { TrafficChart } from '#ui/chart/traffic-chart.tsx'
import { TrafficChartGroup } from '#ui/chart/traffic-chart-group.tsx'
import type { TrafficFrame, TrafficPoint } from '#ui/chart/traffic-series.ts'
import { SAMPLE_NOW, samplePoint } from './sample-data.ts'

const SECOND = 1_000
const MINUTE = 60_000

/** Samples 12 to 17 are missing. */
function wasLost(index: number): boolean {
  return index >= 12 && index <= 17
}

const storedFrame = (count: number, stepMs: number): TrafficFrame => ({
  fromMs: SAMPLE_NOW - count * stepMs,
  toMs: SAMPLE_NOW,
  stepMs,
  axis: 'clock',
})
const liveFrame = (toMs: number): TrafficFrame => ({
  fromMs: toMs - TRAFFIC.pointsKept * SECOND,
  toMs,
  stepMs: SECOND,
  axis: 'live',
})

/** Averages with a gap. */
const createStored = (count: number, stepMs: number): readonly TrafficPoint[] =>
  Array.from({ length: count }, (_, index) => samplePoint(index, SAMPLE_NOW - (count - index) * stepMs)).filter(
    (_, index) => index < 120 || index > 150,
  )
const withPeak = (point: TrafficPoint): TrafficPoint => ({
  ...point,
  peak: {
    downBitsPerSecond: 1.6 * (point.downBitsPerSecond ?? 0),
    upBitsPerSecond: 2 * (point.upBitsPerSecond ?? 0),
  },
})

const STORED = {
  day: { frame: storedFrame(288, 5 * MINUTE), points: createStored(288, 5 * MINUTE), resolution: '5 分钟平均' },
  month: {
    frame: storedFrame(360, 120 * MINUTE),
    points: createStored(360, 120 * MINUTE).map(withPeak),
    resolution: '2 小时平均，含峰值',
  },
} as const

export function ChartSamples() {
  const live = useLivePoints()
  const now = live.at(-1)?.atMs ?? SAMPLE_NOW
  const [range, setRange] = useState<keyof typeof STORED | 'live'>('live')
  const { frame, points, resolution } =
    range === 'live' ? { frame: liveFrame(now), points: live, resolution: '每秒一次' } : STORED[range]
  const [isOpen, setIsOpen] = useState(false)
  return (
    <TrafficChartGroup
      frame={frame}
      title="流量"
      resolution={resolution}
      tools={<Segmented label="时间范围" value={range} onChange={setRange} options={RANGES} />}
    >
      <Panel>
        <TrafficChart label="wan0" points={points} minHeightPx={480} />
      </Panel>
      <Panel>
        <TrafficChart
          label="lan0"
          points={points}
          minHeightPx={320}
          fold={{ isOpen, onToggle: () => setIsOpen(!isOpen) }}
        />
      </Panel>
      <Panel>
        <TrafficChart label="wan1" points={points} minHeightPx={320} silence="离线自 2026-03-02 10:15:00" />
      </Panel>
      <Panel>
        <TrafficChart label="wan2" points={[]} minHeightPx={200} empty="等待数据…" />
      </Panel>
    </TrafficChartGroup>
  )
}

const RANGES = [
  { value: 'live', label: '实时' },
  { value: 'day', label: '24 小时' },
  { value: 'month', label: '30 天' },
] as const

function useLivePoints(): readonly TrafficPoint[] {
  const [last, setLast] = useState(TRAFFIC.pointsKept - 1)
  useEffect(() => {
    const timer = setInterval(() => setLast((now) => now + 1), SECOND)
    return () => clearInterval(timer)
  }, [])
  return useMemo(
    () =>
      Array.from({ length: TRAFFIC.pointsKept }, (_, place) => last - TRAFFIC.pointsKept + 1 + place)
        .filter((index) => !wasLost(index))
        .map((index) => samplePoint(index, SAMPLE_NOW + index * SECOND)),
    [last],
  )
}
