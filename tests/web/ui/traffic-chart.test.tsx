import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TRAFFIC } from '../../../worker/contract/limits.ts'
import { TrafficChart } from '../../../web/ui/traffic-chart.tsx'
import { chartText, type TrafficPoint } from '../../../web/ui/traffic-series.ts'

/** Calls of the chart library, which draws on a canvas that jsdom lacks. */
const drawn = vi.hoisted(() => ({
  options: [] as Record<string, unknown>[],
  data: [] as unknown[][],
  removed: 0,
  view: {},
}))
vi.mock('lightweight-charts', () => {
  const series = () => ({ applyOptions() {}, setData: (data: unknown[]) => drawn.data.push(data) })
  return {
    AreaSeries: 'area',
    LineSeries: 'line',
    LineStyle: { Dashed: 2 },
    createChart: (_: HTMLElement, options: Record<string, unknown>) => {
      drawn.options.push(options)
      return {
        addSeries: series,
        applyOptions() {},
        remove: () => drawn.removed++,
        timeScale: () => ({ setVisibleLogicalRange: (view: object) => (drawn.view = view) }),
      }
    },
  }
})

const START = Date.parse('2026-01-15T02:30:00Z')
const points: readonly TrafficPoint[] = [
  { atMs: START, downBitsPerSecond: 8_000_000, upBitsPerSecond: null },
  { atMs: START + 1_000, downBitsPerSecond: 2_000_000, upBitsPerSecond: null },
]
beforeEach(() => {
  Object.assign(drawn, { options: [], data: [], removed: 0, view: {} })
  localStorage.clear()
})

it('draws what it is given, lets the licence page name the library, and cleans up', async () => {
  const { unmount } = render(<TrafficChart label="wan0" points={points} stepMs={1_000} />)
  await waitFor(() => expect(drawn.data).toHaveLength(2))
  expect(drawn.options[0]).toMatchObject({ layout: { attributionLogo: false } })
  expect(drawn.data[0]).toMatchObject([{ value: 8_000_000 }, { value: 2_000_000 }])
  expect(drawn.data[1]?.every((point) => !('value' in (point as object)))).toBe(true)
  expect(drawn.view).toEqual({ from: 1.5 - TRAFFIC.pointsKept, to: 1.5 })
  unmount()
  expect(drawn.removed).toBe(1)
})

it('turns to bytes with its axis, and zooms between 1 and 2', async () => {
  const user = userEvent.setup()
  render(<TrafficChart label="wan0" points={points} stepMs={1_000} mode="range" />)
  await waitFor(() => expect(drawn.data).toHaveLength(2))
  await user.click(screen.getByRole('button', { name: 'B/s' }))
  await waitFor(() => expect(drawn.data[2]).toMatchObject([{ value: 1_000_000 }, { value: 250_000 }]))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '缩小' }).disabled).toBe(true)
  for (let press = 0; press < 4; press++) await user.click(screen.getByRole('button', { name: '放大' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '放大' }).disabled).toBe(true)
  expect(drawn.view).toEqual({ from: 0.5, to: 1.5 })
})

it('loads nothing while there is nothing to draw', () => {
  render(<TrafficChart label="wan1" points={[]} stepMs={1_000} />)
  expect(screen.queryByText('等待数据…')).not.toBeNull()
  expect(drawn.options).toEqual([])
})

describe('in words', () => {
  it('names span, last and highest of each line', () => {
    expect(chartText('wan0', points, 'bit')).toBe(
      'wan0 的上下行速率曲线，2026-01-15 10:30:00 至 2026-01-15 10:30:01；下行最近 2.00 Mbit/s，最高 8.00 Mbit/s；上行无数据',
    )
    render(<TrafficChart label="wan0" points={points} stepMs={1_000} />)
    expect(screen.queryByRole('img', { name: /^wan0 的上下行速率曲线，.*上行无数据$/ })).not.toBeNull()
  })

  it('distinguishes a missing last value from zero', () => {
    const gap = { atMs: START + 2_000, downBitsPerSecond: null, upBitsPerSecond: 0 }
    expect(chartText('wan0', [...points, gap], 'byte')).toMatch(/下行最近 无数据，最高 .*；上行最近 0/)
    expect(chartText('wan0', [], 'bit')).toContain('暂无数据')
  })
})
