import { useEffect, useMemo, useState } from 'react'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import type { ChartFrame } from '#ui/chart/chart-series.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { SAMPLE_NOW, sampleTraffic } from './sample-data.ts'

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
