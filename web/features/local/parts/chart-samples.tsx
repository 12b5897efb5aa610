import { useEffect, useMemo, useState } from 'react'
import { TRAFFIC } from '../../../../worker/contract/limits.ts'
import { Panel } from '../../../ui/panel.tsx'
import { TrafficChart, type TrafficPoint } from '../../../ui/traffic-chart.tsx'
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
  return (
    <>
      <Panel>
        <TrafficChart label="wan0（实时）" points={live} stepMs={SECOND} minHeightPx={480} />
      </Panel>
      <Panel>
        <TrafficChart label="wan0（近 24 小时）" points={day} stepMs={5 * MINUTE} mode="range" minHeightPx={320} />
      </Panel>
      <Panel>
        <TrafficChart label="wan1（尚无数据）" points={[]} stepMs={SECOND} minHeightPx={160} />
      </Panel>
    </>
  )
}

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
