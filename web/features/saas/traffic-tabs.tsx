import { type ReactNode, useMemo, useState } from 'react'
import { ERRORS } from '#contract/kernel/errors.ts'
import { SAAS } from '#contract/saas/limits.ts'
import { Segmented } from '#ui/form/segmented.tsx'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import { type ChartFrame, type ChartPoint, type ChartSeries, toDirections } from '#ui/chart/chart-series.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { ShareBars } from '#ui/chart/bars/share-bars.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, NothingYet } from '#ui/state/page-states.tsx'
import { type TimeWindow, TimeWindowField, lastWindow } from '#ui/form/dates/time-window.tsx'
import { type FlowKind, useFlowChart, useFlowTop, useWanTraffic } from './api.ts'
import { bothText, volumeText } from './saas-text.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Tabs of traffic of a SaaS device: volumes of the WAN, and charts and shares by application or LAN address. */

const LIMIT = { spanMs: (SAAS.historyDays + 1) * DAY_MS, sentence: ERRORS.HISTORY_TOO_OLD.msg }

const useWindow = (spanMs: number) => useState(() => lastWindow(spanMs, Date.now()))

interface Point {
  readonly time: number
  readonly input: number
  readonly out: number
}

/** Frame of whole steps around the range. */
function createFrame({ fromMs, toMs }: TimeWindow, stepMs: number, points: readonly Point[]): ChartFrame {
  const phase = (points[0]?.time ?? toMs) % stepMs
  const floor = (at: number) => Math.floor((at - phase) / stepMs) * stepMs + phase
  const end = Math.max(floor(toMs - 1) + stepMs, points.at(-1)?.time ?? 0)
  return { fromMs: floor(fromMs), toMs: end, stepMs, axis: 'clock', isExact: true }
}

const toPoints = (points: readonly Point[], of: (point: Point) => number): readonly ChartPoint[] =>
  points.map((point) => ({ atMs: point.time, value: of(point) }))

interface ViewProps {
  readonly routerName: string
}

export function TrafficView({ routerName }: ViewProps) {
  const [window, setWindow] = useWindow(SAAS.chartMs)
  const { data, error, mutate } = useWanTraffic(routerName, window)
  const chart = useMemo(() => {
    if (data === undefined) return null
    const { step_ms, points } = data.data
    return {
      frame: createFrame(window, step_ms, points),
      series: toDirections(
        toPoints(points, ({ out }) => out),
        toPoints(points, ({ input }) => input),
      ),
    }
  }, [data, window])
  return (
    <>
      <TimeWindowField label="时间范围" value={window} onChange={setWindow} limit={LIMIT} />
      <Loaded error={error} onRetry={() => void mutate()} isReady={chart !== null}>
        {chart !== null && (
          <ChartGroup frame={chart.frame} bar={{}}>
            <TimeChart label="设备流量" series={chart.series} measure="scaledRate" />
          </ChartGroup>
        )}
      </Loaded>
    </>
  )
}

const DIRECTIONS = [
  { value: 'out', label: '下行' },
  { value: 'input', label: '上行' },
  { value: 'both', label: '合计' },
] as const
type Direction = (typeof DIRECTIONS)[number]['value']
const valueOf = (direction: Direction) => (point: Point) =>
  direction === 'both' ? point.input + point.out : point[direction]

interface FlowProps extends ViewProps {
  readonly kind: FlowKind
  readonly label: string
}

/** Traffic by application or LAN address: the ten largest, and others (其他). */
export function FlowChart({ routerName, kind, label }: FlowProps) {
  const [window, setWindow] = useWindow(SAAS.chartMs)
  const [direction, setDirection] = useState<Direction>('out')
  const { data, error, mutate } = useFlowChart(kind, routerName, window)
  const chart = useMemo(() => {
    if (data === undefined) return null
    const { step_ms, series } = data.data
    return {
      frame: createFrame(window, step_ms, series[0]?.points ?? []),
      series: series.map(({ name, points }, index): ChartSeries => ({
        name,
        colour: `--nl-series-${index + 1}`,
        drawing: 'line',
        points: toPoints(points, valueOf(direction)),
      })),
    }
  }, [data, window, direction])
  const tools = <Segmented<Direction> label="方向" value={direction} options={DIRECTIONS} onChange={setDirection} />
  return (
    <>
      <TimeWindowField label="时间范围" value={window} onChange={setWindow} limit={LIMIT} />
      <Loaded error={error} onRetry={() => void mutate()} isReady={chart !== null}>
        {chart !== null && (
          <ChartGroup frame={chart.frame} bar={{ tools }}>
            <TimeChart label={label} series={chart.series} measure="scaledRate" minHeightPx={540} />
          </ChartGroup>
        )}
        <Uncounted of={data?.uncounted ?? null} />
      </Loaded>
    </>
  )
}

/** Shares by application or LAN address: the 30 largest, and others (其他). */
export function FlowTop({ routerName, kind, label }: FlowProps) {
  const [window, setWindow] = useWindow(SAAS.topMs)
  const { data, error, mutate } = useFlowTop(kind, routerName, window)
  const rows = data?.data ?? []
  return (
    <>
      <TimeWindowField label="时间范围" value={window} onChange={setWindow} limit={LIMIT} />
      <Loaded error={error} onRetry={() => void mutate()} isReady={data !== undefined}>
        {rows.length === 0 ? (
          <NothingYet title="暂无数据" />
        ) : (
          <ShareBars
            label={label}
            bars={rows.map((row) => ({
              name: row.name,
              share: row.share,
              detail: `共 ${volumeText(row.total)}，${bothText(row)}`,
            }))}
          />
        )}
        <Uncounted of={data?.uncounted ?? null} />
      </Loaded>
    </>
  )
}

/** Traffic of the interface that is in no flow, such as connections that the hardware forwards. */
function Uncounted({ of }: { readonly of: { readonly input: number; readonly out: number } | null }) {
  if (of === null || of.input + of.out === 0) return null
  return (
    <p className="nl-muted" title="由硬件加速转发的连接等不经过流量分析，只计入接口流量">
      未统计：{bothText(of)}（接口计数与以上合计之差）
    </p>
  )
}

interface LoadedProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly isReady: boolean
  readonly children: ReactNode
}

function Loaded({ error, onRetry, isReady, children }: LoadedProps) {
  if (!isReady && error !== undefined) return <ErrorState error={error} onRetry={onRetry} />
  return isReady ? children : <Skeleton lines={8} />
}
