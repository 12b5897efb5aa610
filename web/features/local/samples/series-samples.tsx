import { useState } from 'react'
import { Panel } from '#ui/layout/panel.tsx'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import type { ChartFrame, ChartSeries } from '#ui/chart/chart-series.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { ShareBars } from '#ui/chart/bars/share-bars.tsx'
import { type TimeWindow, TimeWindowField, lastWindow } from '#ui/form/dates/time-window.tsx'
import { SAMPLE_NOW } from './sample-data.ts'

const STEP_MS = 300_000
const FRAME: ChartFrame = {
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
        <ChartGroup frame={FRAME} bar={{}}>
          <TimeChart label="多条曲线" series={SERIES} measure="scaledRate" minHeightPx={320} />
        </ChartGroup>
      </Panel>
      <Panel title="没有数据">
        <ChartGroup frame={FRAME}>
          <TimeChart label="没有数据" series={[]} measure="scaledRate" minHeightPx={200} />
        </ChartGroup>
      </Panel>
      <Panel title="占比">
        <ShareBars label="占比" bars={BARS} />
      </Panel>
    </>
  )
}
