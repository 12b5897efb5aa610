import { useEffect, useMemo, useState } from 'react'
import { TRAFFIC } from '../../../../worker/contract/limits.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { TrafficChart } from '../../../ui/traffic-chart.tsx'
import { TrafficChartGroup } from '../../../ui/traffic-chart-group.tsx'
import type { TrafficPoint } from '../../../ui/traffic-series.ts'
import { SAMPLE_NOW, samplePoint } from '../sample-data.ts'

const SECOND = 1_000
const MINUTE = 60_000

/** Samples 12 to 17 are missing. */
function wasLost(index: number): boolean {
  return index >= 12 && index <= 17
}

export function ChartSamples() {
  const live = useLivePoints()
  const day = useMemo(
    () =>
      Array.from({ length: 288 }, (_, index) => samplePoint(index, SAMPLE_NOW - (288 - index) * 5 * MINUTE)).filter(
        (_, index) => index < 120 || index > 150,
      ),
    [],
  )
  const now = live.at(-1)?.atMs ?? SAMPLE_NOW
  const [range, setRange] = useState<'live' | 'day'>('live')
  const isLive = range === 'live'
  const frame = isLive
    ? ({ fromMs: now - TRAFFIC.pointsKept * SECOND, toMs: now, stepMs: SECOND, axis: 'live' } as const)
    : ({ fromMs: SAMPLE_NOW - 24 * 60 * MINUTE, toMs: SAMPLE_NOW, stepMs: 5 * MINUTE, axis: 'clock' } as const)
  const points = isLive ? live : day
  const [isOpen, setIsOpen] = useState(false)
  return (
    <TrafficChartGroup
      frame={frame}
      title="流量"
      resolution={isLive ? '每秒一次' : '5 分钟平均'}
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
