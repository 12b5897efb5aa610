import { useMemo } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { LinkRange } from '#contract/kernel/hub-limits.ts'
import { MINUTE_MS } from '#contract/kernel/time.ts'
import { networkApi } from '#contract/network/index.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'
import { timeText } from '#lib/format/format-time.ts'
import '#ui/chart/bars/state-bar.css'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import type { ChartPoint, ChartSeries } from '#ui/chart/chart-series.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { FailedPart } from '#ui/state/failure-strip.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { LinkBadge } from '#ui/state/status-badge.tsx'
import '../routes/routes.css'

/* History of a link: latency, loss, ups and downs over an hour, a day or 30 days. */

type History = Output<typeof networkApi.linkHistory>
type Point = History['points'][number]

const RANGES = [
  { value: 'hour', label: '1 小时' },
  { value: 'day', label: '24 小时' },
  { value: 'month', label: '30 天' },
] as const satisfies readonly { readonly value: LinkRange; readonly label: string }[]

const HEIGHT_PX = 160
const EMPTY = '该时段没有探测数据'

interface LinkHistoryProps {
  readonly networkNumber: string
  readonly id: string
  readonly range: LinkRange
  readonly onRange: (range: LinkRange) => void
}

export function LinkHistory({ networkNumber, id, range, onRange }: LinkHistoryProps) {
  const input = { network_number: networkNumber, id, range }
  const { data, error, mutate } = useQuery(networkApi.linkHistory, input, { pollMs: MINUTE_MS })
  return (
    <div className="nl-routes">
      <Segmented label="时间范围" value={range} onChange={onRange} options={RANGES} />
      {data !== undefined ? (
        <Charts history={data.data} />
      ) : error === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <FailedPart error={error} onRetry={mutate} />
      )}
    </div>
  )
}

function Charts({ history }: { readonly history: History }) {
  const { from, to, step_ms, points, events } = history
  const frame = { fromMs: from, toMs: to, stepMs: step_ms, axis: 'clock', isExact: true } as const
  const { latency, loss } = useMemo(() => toSeries(points), [points])
  return (
    <ChartGroup frame={frame}>
      <TimeChart label="时延" series={latency} measure="latency" minHeightPx={HEIGHT_PX} empty={EMPTY} />
      <TimeChart label="丢包" series={loss} measure="loss" minHeightPx={HEIGHT_PX} empty={EMPTY} />
      <UpStrip points={points} />
      <Events events={events} />
    </ChartGroup>
  )
}

function toSeries(points: readonly Point[]): Readonly<Record<'latency' | 'loss', readonly ChartSeries[]>> {
  const of = (valueOf: (point: Point) => number | null): readonly ChartPoint[] =>
    points.map((point) => ({ atMs: point.time, value: valueOf(point) }))
  return {
    latency: [
      { name: '时延', colour: '--nl-series-1', drawing: 'area', points: of(({ rtt_ms }) => rtt_ms) },
      { name: '最大', colour: '--nl-series-2', drawing: 'dashed', points: of(({ rtt_max_ms }) => rtt_max_ms) },
    ],
    loss: [{ name: '丢包', colour: '--nl-series-2', drawing: 'area', points: of((point) => point.loss) }],
  }
}

const UP_STATE = { 0: 'offline', 1: 'online' } as const

/** Steps in which the link was up or down; the list below says the same in words. */
function UpStrip({ points }: { readonly points: readonly Point[] }) {
  return (
    <div className="nl-state-bar" aria-hidden="true">
      <div className="nl-state-segments">
        {runsOf(points).map(({ time, up, steps }) => (
          <span
            key={time}
            className="nl-state-segment"
            data-state={up === null ? 'unknown' : UP_STATE[up]}
            style={{ flexGrow: steps }}
          />
        ))}
      </div>
    </div>
  )
}

/** Steps in a row with the same state as one. */
function runsOf(points: readonly Point[]): readonly (Pick<Point, 'time' | 'up'> & { readonly steps: number })[] {
  const runs: { time: number; up: Point['up']; steps: number }[] = []
  for (const { time, up } of points) {
    const last = runs.at(-1)
    if (last?.up === up) last.steps += 1
    else runs.push({ time, up, steps: 1 })
  }
  return runs
}

function Events({ events }: Pick<History, 'events'>) {
  if (events.length === 0) return <p className="nl-muted">该时段没有通断记录</p>
  return (
    <ol className="nl-lined nl-transitions" aria-label="通断记录">
      {events.map(({ time, up, reason }) => (
        <li key={`${time} ${up}`}>
          <span className="nl-flow nl-transition">
            <LinkBadge state={up === 1 ? 'up' : 'down'} />
            <time dateTime={new Date(time).toISOString()}>{timeText(time)}</time>
          </span>
          {up === 0 && reason !== '' && <span className="nl-transition-reason">{reason}</span>}
        </li>
      ))}
    </ol>
  )
}
