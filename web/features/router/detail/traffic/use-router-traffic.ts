import { useMemo, useEffect, useState } from 'react'
import { type TrafficRange, STREAM } from '#contract/kernel/hub-limits.ts'
import { CHANNEL_DOWN } from '#lib/live/use-live.ts'
import type { ChartFrame } from '#ui/chart/chart-series.ts'
import { useLastTraffic, useTrafficSeries } from '#pages/router/api.ts'
import { newest, type LiveChartData, toLiveChartData } from './live-chart-data.ts'
import { toStoredPoint, toWindow, type TrafficWindow } from './traffic-window.ts'
import type { RouterLive } from '../use-router-live.ts'

/* Hooks that give the traffic of a router to its charts: the live window, or stored averages of a range. */

export type TrafficMode = 'live' | TrafficRange

export interface RouterTraffic {
  readonly frame: ChartFrame
  readonly points: TrafficWindow
  readonly earlier: LiveChartData['earlier']
  /** Range and sampling interval, in words; '' without samples. */
  readonly resolution: string
  /** Reason why no new samples arrive; null while they do, and for stored ranges. */
  readonly silence: string | null
  readonly empty: string
}

const RESOLUTION: Readonly<Record<TrafficRange | LiveChartData['kind'], string>> = {
  live: '最近 40 秒，每秒一次',
  last: '最后 40 秒，每秒一次',
  averages: '最近上报，5 分钟平均',
  hour: '每分钟平均',
  day: '5 分钟平均',
  week: '每小时平均，峰值按 5 分钟平均',
  month: '每 2 小时平均，峰值按 5 分钟平均',
}

const LATE_MS = 1.5 * STREAM.rateMs // the next sample moves the time on, unless it is later than this

/** The hub's time: that of the newest sample, which advances by itself while the next sample is late. */
function useLiveNow(newestMs: number | null): number | null {
  const [late, setLate] = useState({ newestMs, byMs: 0 })
  useEffect(() => {
    if (newestMs === null) return
    let byMs = LATE_MS
    let timer = setTimeout(function move() {
      setLate({ newestMs, byMs })
      byMs += STREAM.rateMs
      timer = setTimeout(move, STREAM.rateMs)
    }, LATE_MS)
    return () => clearTimeout(timer)
  }, [newestMs])
  if (newestMs === null) return null
  return late.newestMs === newestMs ? newestMs + late.byMs : newestMs
}

/**
 * Live curve, or the REST reply without a socket; `isUnread` if that fails, too, and no sample is known.
 * @param silence reason why the device sends nothing, or null
 */
export function useLiveTraffic(routerName: string, live: RouterLive, silence: string | null) {
  const isDown = live.channel === 'down'
  const query = useLastTraffic(routerName, isDown)
  const reply = query.data?.data.data
  const window = useMemo(() => (isDown && reply ? toWindow(reply) : live.window), [isDown, reply, live.window])
  const isRunning = !isDown && silence === null && !live.isStale
  const nowMs = useLiveNow(isRunning ? (newest(window) ?? 0) : null)
  const chart = useMemo(() => toLiveChartData(window, nowMs), [window, nowMs])
  const traffic: RouterTraffic = {
    frame: chart.frame,
    points: chart.points,
    earlier: chart.earlier,
    resolution: isRunning || newest(chart.points) !== null ? RESOLUTION[chart.kind] : '',
    silence: silence ?? (isDown && reply === undefined ? CHANNEL_DOWN : null),
    empty: isRunning ? '等待数据…' : '暂无数据',
  }
  return { traffic, query, isUnread: isDown && query.error !== undefined && newest(window) === null }
}

/** Stored averages of a range up to now or around a time, or null while they are read. */
export function useStoredTraffic(routerName: string, range: TrafficRange | null, at: number | null) {
  const query = useTrafficSeries(routerName, range, at)
  const series = query.data?.data
  const traffic = useMemo((): RouterTraffic | null => {
    if (series === undefined || range === null) return null
    const { from, to, step_ms, data } = series
    return {
      frame: { fromMs: from, toMs: to, stepMs: step_ms, axis: 'clock' },
      points: Object.fromEntries(Object.entries(data).map(([name, rates]) => [name, rates.map(toStoredPoint)])),
      earlier: {},
      resolution: RESOLUTION[range],
      silence: null,
      empty: '该时段没有流量数据',
    }
  }, [series, range])
  return { traffic, query }
}
